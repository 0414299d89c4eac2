// A thread that returns a value or falls off its end, which is null to who joins it.
#include <assert.h>
#include <pthread.h>

int x;

static void *set(void *arg) {
    __atomic_store_n(&x, 1, 5);
    return 0;
}

static void *work(void *arg) {
    if (__atomic_load_n(&x, 5))
        return (void *)1;
}

int main(void) {
    pthread_t first, second;
    void *result;
    pthread_create(&first, 0, set, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, &result);
    assert(result == 0);
}
