// Joining oneself is EDEADLK, as the library says.
// outcome: "35 35\n"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) { return (void *)(long)pthread_join(pthread_self(), NULL); }

int main(void) {
    pthread_t thread;
    void *result;
    int own = pthread_join(pthread_self(), NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    printf("%d %ld\n", own, (long)result);
}
