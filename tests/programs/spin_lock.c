// Spin locks exclude, and trying tells whether one is held.
// outcome: "2 0\n"
// outcome: "2 16\n"
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t spin, other;
static int counter;
static long tried;

static void *work(void *arg) {
    pthread_spin_lock(&spin);
    counter++;
    pthread_spin_unlock(&spin);
    tried = pthread_spin_trylock(&other);
    if (tried == 0)
        pthread_spin_unlock(&other);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&other, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, work, NULL);
    pthread_spin_lock(&spin);
    counter++;
    pthread_spin_unlock(&spin);
    pthread_spin_lock(&other);
    pthread_spin_unlock(&other);
    pthread_join(thread, NULL);
    pthread_spin_destroy(&spin);
    printf("%d %ld\n", counter, tried);
}
