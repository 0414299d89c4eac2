// Nobody signals: time is up, or the thread wakes for no reason. That is no deadlock.
// outcome: "0\n"
// outcome: "110\n"
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    struct timespec past = {0, 0};
    pthread_cond_init(&condition, NULL);
    pthread_mutex_lock(&mutex);
    printf("%d\n", pthread_cond_timedwait(&condition, &mutex, &past));
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&condition);
}
