// Unlocking a mutex that nobody holds has no effect.
// outcome: "0 0 16\n"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    int unlocked = pthread_mutex_unlock(&mutex);
    int locked = pthread_mutex_trylock(&mutex);
    printf("%d %d %d\n", unlocked, locked, pthread_mutex_trylock(&mutex));
}
