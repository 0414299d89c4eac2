// Two sections under way, one blocked by the other: once that has ended, the blocked one goes on as a section.
// outcome: "0\n"
// compiled: no, it uses __VERIFIER_atomic_begin
#include <pthread.h>
#include <stdio.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *work(void *arg) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&mutex);
    value = 1;
    value = 0;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    __VERIFIER_atomic_begin();
    pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    int seen = value;
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}
