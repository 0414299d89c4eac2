// pthread_exit leaves all functions of the thread at once.
// outcome: "in 5\n"
#include <pthread.h>
#include <stdio.h>

static void leave(int depth) {
    if (depth == 0) {
        printf("in ");
        pthread_exit((void *)5);
    }
    leave(depth - 1);
    printf("never");
}

static void *work(void *arg) {
    leave(3);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &value);
    printf("%ld\n", (long)value);
}
