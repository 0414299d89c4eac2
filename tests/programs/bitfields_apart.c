// A field of width zero separates bit-fields: no race.
// outcome: "1 2\n"
#include <pthread.h>
#include <stdio.h>

static struct {
    unsigned a : 3;
    unsigned : 0;
    unsigned b : 5;
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
