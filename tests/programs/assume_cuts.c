// A run that an assumption cuts is no deadlock, no leak and no error; what happened before still did.
// outcome: "1\n"
// compiled: no, it uses __VERIFIER_assume
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *block;

static void *work(void *arg) {
    int value = __VERIFIER_nondet_int();
    if (value == 0) {
        block = malloc(4);
        pthread_mutex_lock(&mutex);
        pthread_mutex_trylock(&mutex);
        __VERIFIER_assume(0);
    }
    return (void *)(long)value;
}

int main(void) {
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &value);
    pthread_mutex_lock(&mutex);
    printf("%ld\n", (long)value);
}
