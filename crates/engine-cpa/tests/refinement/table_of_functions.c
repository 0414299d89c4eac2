// Which function is called depends on a number that is not kept at first, and the path goes on in another one.
#include <pthread.h>

pthread_t thread[2];
pthread_rwlock_t rw;
int a[3];
static int twice(int k) { return k * 2; }
static int keep(int k) {
    a[2] = k;
    return k - 1;
}
static int (*const table[2])(int) = {twice, keep};

void *worker(void *arg) {
    int id = (int)(long)arg;
    int t = id;
    t = table[id & 1](t);
    return 0;
}

void *writer(void *arg) {
    if (!pthread_rwlock_trywrlock(&rw)) {
    }
    return 0;
}

int main(void) {
    pthread_create(&thread[0], 0, worker, (void *)(long)0);
    pthread_create(&thread[1], 0, writer, (void *)(long)1);
    pthread_rwlock_rdlock(&rw);
    return 0;
}
