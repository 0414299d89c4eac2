// Locks in an array are different ones: each thread holds its own, and that does not help.
// outcome: "1\n"
// outcome: "2\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutexes[2];
static int counter;

static void *work(void *arg) {
    pthread_mutex_lock(&mutexes[(long)arg]);
    counter++;
    pthread_mutex_unlock(&mutexes[(long)arg]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&mutexes[0], NULL);
    pthread_mutex_init(&mutexes[1], NULL);
    pthread_create(&thread, NULL, work, (void *)1);
    work((void *)0);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
}
