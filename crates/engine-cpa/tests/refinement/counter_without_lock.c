// Without the lock, one thread clears the flag of the other.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int flag;
static unsigned long count;

static void *work(void *arg) {
    while (__VERIFIER_nondet_int()) {
        flag = 1;
        count = count + 1;
        assert(flag == 1);
        flag = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(flag == 0);
}
