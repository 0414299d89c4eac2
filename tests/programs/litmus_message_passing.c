// Who sees the flag sees the message, and there is no race on it.
// outcome: "1\n"
// outcome: "nothing\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int message;
static atomic_int flag;

static void *send(void *arg) {
    message = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        printf("%d\n", message);
    else
        printf("nothing\n");
    pthread_join(thread, NULL);
}
