// Adjacent bit-fields are one location: writing both at the same time is a race.
// outcome: "1 2\n"
// outcome: race
// compiled: no, neighbours are written along, and one write may be lost
#include <pthread.h>
#include <stdio.h>

static struct {
    unsigned a : 3, b : 5;
} fields;

static void *work(void *arg) {
    fields.a = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    fields.b = 2;
    pthread_join(thread, NULL);
    printf("%d %d\n", fields.a, fields.b);
}
