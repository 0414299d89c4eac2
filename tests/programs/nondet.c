// Inputs of several types, from the listed values.
// outcome: "-1 1 255\n"
// outcome: "-1 0 255\n"
// outcome: "2 1 255\n"
// outcome: "2 0 255\n"
// outcome: "-1 1 2\n"
// outcome: "-1 0 2\n"
// outcome: "2 1 2\n"
// outcome: "2 0 2\n"
// inputs: -1 2
// compiled: no, it uses __VERIFIER_nondet_int
#include <pthread.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);

static void *work(void *arg) { return (void *)(long)__VERIFIER_nondet_int(); }

int main(void) {
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &value);
    int odd = __VERIFIER_nondet_bool();
    printf("%ld %d %d\n", (long)value, odd, __VERIFIER_nondet_uchar());
}
