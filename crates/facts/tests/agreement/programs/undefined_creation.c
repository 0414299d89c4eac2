// There is no room for the handle.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

void *run(void *arg) { return 0; }

int main(void) {
    int small;
    if (__VERIFIER_nondet_int())
        pthread_create(0, 0, run, 0);
    pthread_create((pthread_t *)&small, 0, run, 0);
    return 0;
}
