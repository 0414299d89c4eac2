// Dekker's algorithm, as given by Dijkstra, "Cooperating Sequential Processes", 1965. N rounds each.
#include <assert.h>
#include <pthread.h>

static _Atomic int wants[2], turn;
static int inside;

static void *work(void *arg) {
    int me = (int)(long)arg;
    for (int i = 0; i < N; i++) {
        wants[me] = 1;
        while (wants[1 - me])
            if (turn != me) {
                wants[me] = 0;
                while (turn != me)
                    ;
                wants[me] = 1;
            }
        inside = me;
        assert(inside == me);
        turn = 1 - me;
        wants[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, (void *)0);
    pthread_create(&second, 0, work, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
