// What lies in the buffer does not matter, nor where.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int buffer[8];
static int head, tail, filled;

static void *put(void *arg) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        if (filled < 8) {
            buffer[tail] = __VERIFIER_nondet_int();
            tail = (tail + 1) % 8;
            filled++;
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static void *get(void *arg) {
    int sum = 0;
    for (;;) {
        pthread_mutex_lock(&mutex);
        if (filled > 0) {
            sum ^= buffer[head];
            head = (head + 1) % 8;
            filled--;
            assert(filled >= 0 && filled < 8);
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, get, 0);
    pthread_join(a, 0);
}
