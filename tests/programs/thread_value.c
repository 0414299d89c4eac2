// A thread's value reaches the one who joins it.
// outcome: "7\n"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) { return (char *)arg + 2; }

int main(void) {
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, work, (void *)5);
    pthread_join(thread, &value);
    printf("%ld\n", (long)value);
}
