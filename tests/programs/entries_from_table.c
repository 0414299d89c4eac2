// Entry functions come from a table of function pointers.
// outcome: "ab"
// outcome: "ba"
#include <pthread.h>
#include <stdio.h>

static void *a(void *arg) {
    putchar('a');
    return NULL;
}

static void *b(void *arg) {
    putchar('b');
    return NULL;
}

static void *(*const entries[])(void *) = {a, b};

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, entries[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
