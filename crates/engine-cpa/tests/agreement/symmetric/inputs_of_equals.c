// finds: Error
// inputs: 0 1 7 8
// Equal threads read inputs of their own; which thread got which decides.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int seen[3], count;

static void *work(void *arg) {
    int mine = __VERIFIER_nondet_int();
    if (mine < 0 || mine > 9)
        return 0;
    pthread_mutex_lock(&mutex);
    seen[count++] = mine;
    if (count == 3)
        assert(!(seen[0] == 7 && seen[1] == 0 && seen[2] == 8));
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
