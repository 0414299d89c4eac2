// C11: recursive mutexes, thrd_busy and thrd_timedout.
// outcome: "0 0 1 4\n"
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static int busy, late;

static int try(void *arg) {
    struct timespec past = {0, 0};
    busy = mtx_trylock(&mutex);
    late = mtx_timedlock(&mutex, &past);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_recursive | mtx_timed);
    int a = mtx_lock(&mutex), b = mtx_lock(&mutex);
    thrd_create(&thread, try, NULL);
    thrd_join(thread, NULL);
    printf("%d %d %d %d\n", a, b, busy == thrd_busy ? 1 : -busy, late == thrd_timedout ? 4 : -late);
}
