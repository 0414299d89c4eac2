// A signal wakes any one of those who wait.
// outcome: exit "a"
// outcome: exit "b"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int tokens;

static void *wait(void *name) {
    pthread_mutex_lock(&mutex);
    while (tokens == 0)
        pthread_cond_wait(&condition, &mutex);
    tokens--;
    printf("%s", (char *)name);
    exit(0);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, wait, "a");
    pthread_create(&b, NULL, wait, "b");
    pthread_mutex_lock(&mutex);
    tokens = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
}
