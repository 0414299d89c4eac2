// finds: Race
// Threads come and go, so that names become free again; two that meet late race.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done, shared;

static void *pass(void *arg) {
    pthread_mutex_lock(&mutex);
    done++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *touch(void *arg) {
    pthread_mutex_lock(&mutex);
    int is_late = done >= 2;
    pthread_mutex_unlock(&mutex);
    if (is_late)
        shared++;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, 0, pass, 0);
        pthread_create(&thread, 0, touch, 0);
    }
    pthread_exit(0);
}
