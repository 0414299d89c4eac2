#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *dangling, *given;

static void leave(void) {
    int local = 1;
    dangling = &local;
}

void *run(void *arg) {
    *given = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    given = malloc(sizeof *given);
    leave();
    pthread_create(&thread, 0, run, 0);
    switch (__VERIFIER_nondet_int()) {
    case 0:
        return *dangling;
    case 1:
        free(given);
        break;
    case 7:
        free(given + 1);
        break;
    default:
        pthread_join(thread, 0);
        free(given);
        free(given);
    }
    return 0;
}
