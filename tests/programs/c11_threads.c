// C11: threads with results, a mutex, and exit from inside.
// outcome: "2 7 -3\n"
#include <stdio.h>
#include <threads.h>

static mtx_t mutex;
static int counter;

static int seven(void *arg) {
    mtx_lock(&mutex);
    counter++;
    mtx_unlock(&mutex);
    return 7;
}

static int leave(void *arg) {
    seven(arg);
    thrd_exit(-3);
}

int main(void) {
    thrd_t a, b;
    int first, second;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&a, seven, NULL);
    thrd_create(&b, leave, NULL);
    thrd_join(a, &first);
    thrd_join(b, &second);
    mtx_destroy(&mutex);
    printf("%d %d %d\n", counter, first, second);
}
