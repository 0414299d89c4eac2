// C11: condition variables, and a detached thread.
// outcome: "5\n"
#include <stdio.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;
static int value;

static int work(void *arg) {
    mtx_lock(&mutex);
    value = 5;
    cnd_broadcast(&condition);
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&condition);
    thrd_create(&thread, work, NULL);
    thrd_detach(thread);
    mtx_lock(&mutex);
    while (value == 0)
        cnd_wait(&condition, &mutex);
    printf("%d\n", value);
    mtx_unlock(&mutex);
}
