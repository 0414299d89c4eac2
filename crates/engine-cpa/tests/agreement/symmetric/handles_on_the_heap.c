// finds: Error
// Equal threads whose handles are on the heap end in any order; the second one is joined while the first one still runs.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
    int number;
    pthread_t thread;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int last, ended;

static void *work(void *arg) {
    struct job *job = arg;
    pthread_mutex_lock(&mutex);
    last = job->number;
    ended++;
    pthread_mutex_unlock(&mutex);
    return (void *)(long)(10 + job->number);
}

int main(void) {
    struct job *jobs[3];
    for (int i = 0; i < 3; i++) {
        jobs[i] = malloc(sizeof(struct job));
        jobs[i]->number = i;
        pthread_create(&jobs[i]->thread, 0, work, jobs[i]);
    }
    void *result;
    pthread_join(jobs[1]->thread, &result);
    pthread_mutex_lock(&mutex);
    assert((long)result == 11);
    int is_first = ended == 2 && last == 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(jobs[2]->thread, &result);
    assert(!is_first || (long)result != 12);
}
