// Handlers and destructors that call pthread_exit themselves, set values and push handlers.
#include <pthread.h>

pthread_key_t key;
int times;

void last(void *arg) { times++; }

void handler(void *arg) {
    times++;
    if (times < 4)
        pthread_exit(0);
}

void destroy(void *value) {
    pthread_cleanup_push(last, 0);
    pthread_setspecific(key, value);
    pthread_exit(value);
    pthread_cleanup_pop(0);
}

void deep(int depth) {
    pthread_cleanup_push(handler, 0);
    if (depth == 0)
        pthread_exit(0);
    deep(depth - 1);
    pthread_cleanup_pop(1);
}

void *work(void *arg) {
    pthread_setspecific(key, &times);
    deep(3);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    work(0);
    return 0;
}
