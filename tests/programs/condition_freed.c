// One thread signals a condition variable while another frees it. Signals are no accesses, so there is no race.
// outcome: ""
// outcome: invalid-access
// compiled: no, it is undefined
#include <pthread.h>
#include <stdlib.h>

static pthread_cond_t *condition;

static void *work(void *arg) {
    free(condition);
    return NULL;
}

int main(void) {
    pthread_t thread;
    condition = malloc(sizeof *condition);
    pthread_cond_init(condition, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_cond_signal(condition);
    pthread_join(thread, NULL);
}
