// Atomic sections exclude each other and do not race with each other.
// outcome: "2\n"
// compiled: no, it uses __VERIFIER_atomic_begin
#include <pthread.h>
#include <stdio.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int counter;

static void *work(void *arg) {
    __VERIFIER_atomic_begin();
    counter++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
}
