// Lamport, "A Fast Mutual Exclusion Algorithm", 1987: few accesses without contention. N rounds each.
#include <assert.h>
#include <pthread.h>

static _Atomic int b[3], x, y;
static int inside;

static void *work(void *arg) {
    int me = (int)(long)arg + 1;
    for (int i = 0; i < N; i++) {
    again:
        b[me] = 1;
        x = me;
        if (y != 0) {
            b[me] = 0;
            while (y != 0)
                ;
            goto again;
        }
        y = me;
        if (x != me) {
            b[me] = 0;
            for (int j = 1; j <= 2; j++)
                while (b[j])
                    ;
            if (y != me) {
                while (y != 0)
                    ;
                goto again;
            }
        }
        inside = me;
        assert(inside == me);
        y = 0;
        b[me] = 0;
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
