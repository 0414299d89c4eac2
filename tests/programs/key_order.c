// Destructors run in order of the keys, the value being null already; not for null values, nor for keys without destructor.
// outcome: "a0c0\n"
#include <pthread.h>
#include <stdio.h>

static pthread_key_t keys[4];

static void destroy(void *value) {
    int index = *(char *)value - 'a';
    printf("%c%d", *(char *)value, pthread_getspecific(keys[index]) != NULL);
}

static void *work(void *arg) {
    pthread_setspecific(keys[3], "d");
    pthread_setspecific(keys[2], "c");
    pthread_setspecific(keys[1], NULL);
    pthread_setspecific(keys[0], "a");
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_key_create(&keys[i], i < 3 ? destroy : NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("\n");
}
