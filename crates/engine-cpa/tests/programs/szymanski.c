// Szymanski, "A Simple Solution to Lamport's Concurrent Programming Problem", 1988, for two threads. N rounds each.
#include <assert.h>
#include <pthread.h>

static _Atomic int flag[2];
static int inside;

static void *work(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    for (int i = 0; i < N; i++) {
        flag[me] = 1;
        while (flag[other] >= 3)
            ;
        flag[me] = 3;
        if (flag[other] == 1) {
            flag[me] = 2;
            while (flag[other] != 4)
                ;
        }
        flag[me] = 4;
        while (me == 1 && flag[other] >= 2)
            ;
        inside = me;
        assert(inside == me);
        while (me == 0) {
            int seen = flag[other];
            if (seen != 2 && seen != 3)
                break;
        }
        flag[me] = 0;
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
