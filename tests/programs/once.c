// The routine runs once, and others wait until it has returned: no race on what it wrote.
// outcome: "init 2\n"
#include <pthread.h>
#include <stdio.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int value;

static void init(void) {
    printf("init ");
    value = 1;
}

static void *work(void *arg) {
    pthread_once(&control, init);
    return (void *)(long)value;
}

int main(void) {
    pthread_t thread;
    void *other;
    pthread_create(&thread, NULL, work, NULL);
    long own = (long)work(NULL);
    pthread_join(thread, &other);
    printf("%ld\n", own + (long)other);
}
