// One variable for all handles: the threads of earlier handles run all the same.
// outcome: "1 2"
// outcome: "2 1"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int printed;

static void *print(void *arg) {
    pthread_mutex_lock(&mutex);
    printf(printed++ ? " %ld" : "%ld", (long)arg);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (long i = 1; i <= 2; i++)
        pthread_create(&thread, NULL, print, (void *)i);
    pthread_exit(NULL);
}
