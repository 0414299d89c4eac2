// A section without an end lasts until its thread ends, destructors included, and no longer.
// outcome: "2\n"
// compiled: no, it uses __VERIFIER_atomic_begin
#include <pthread.h>
#include <stdio.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_key_t key;
static int value;

static void destroy(void *arg) { value = 2; }

static void *work(void *arg) {
    pthread_setspecific(key, &key);
    __VERIFIER_atomic_begin();
    value = 1;
    pthread_exit(NULL);
}

int main(void) {
    pthread_t thread;
    int seen;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, work, NULL);
    do {
        __VERIFIER_atomic_begin();
        seen = value;
        __VERIFIER_atomic_end();
    } while (seen == 0);
    printf("%d\n", seen);
}
