// Of the generic builtins only the first pointer's object is accessed atomically: the others race.
// outcome: "1 1\n"
// outcome: "1 2\n"
// outcome: "2 1\n"
// outcome: "2 2\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static int value, found;

static void *work(void *arg) {
    int new = (int)(long)arg;
    __atomic_store(&value, &new, __ATOMIC_SEQ_CST);
    __atomic_load(&value, &found, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)1);
    work((void *)2);
    pthread_join(thread, NULL);
    printf("%d %d\n", value, found);
}
