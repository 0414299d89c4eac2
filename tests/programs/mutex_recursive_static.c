// Mutexes of other kinds by static initialisers.
// outcome: "0 0 35\n"
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main(void) {
    int a = pthread_mutex_lock(&recursive), b = pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&checking);
    printf("%d %d %d\n", a, b, pthread_mutex_lock(&checking));
}
