// Readers do not race with each other.
// outcome: "10\n"
#include <pthread.h>
#include <stdio.h>

static int value;

static void *work(void *arg) { return (void *)(long)value; }

int main(void) {
    pthread_t thread;
    void *other;
    value = 5;
    pthread_create(&thread, NULL, work, NULL);
    int own = value;
    pthread_join(thread, &other);
    printf("%ld\n", own + (long)other);
}
