// Different numbers, equal products.
#include <pthread.h>
#include <stdlib.h>
int a[4];
void *leaf(void *arg) { int i = (int)(long)arg; *(int *)((char *)a + i * 4) = i; return 0; }
int main(void) {
    pthread_t t;
    for (long i = 0; i <= 0x40000000; i += 0x40000000)
        pthread_create(&t, 0, leaf, (void *)i);
    pthread_exit(0);
}
