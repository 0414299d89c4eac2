// Memory behind it keeps what is written; copies are what it turns out to be.
#include <pthread.h>
extern int *__VERIFIER_nondet_pointer(void);
extern void reach_error(void);
int global, *kept;

void *run(void *arg) {
    int *copy = kept;
    if (copy == &global)
        *copy = 4;
    else if (copy)
        *copy = 5;
    return 0;
}

int main(void) {
    int local = 0, *uninitialised;
    pthread_t thread;
    int *pointer = __VERIFIER_nondet_pointer();
    kept = pointer;
    if (pointer == &local) {
        *pointer = 1;
        if (local == 1)
            global = 1;
    }
    pthread_create(&thread, 0, run, 0);
    global++;
    if (kept)
        (*kept)++;
    *uninitialised = 3;
    if (*uninitialised != 3)
        reach_error();
    pthread_join(thread, 0);
    return *pointer;
}
