// Never initialised, or destroyed, it is a normal unlocked mutex.
// outcome: "0 0 16\n"
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t destroyed;

int main(void) {
    pthread_mutex_t *never = malloc(sizeof *never), automatic;
    int a = pthread_mutex_lock(never);
    free(never);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&destroyed, &attributes);
    pthread_mutex_destroy(&destroyed);
    pthread_mutex_lock(&destroyed);
    int b = pthread_mutex_lock(&automatic);
    printf("%d %d %d\n", a, b, pthread_mutex_trylock(&destroyed));
}
