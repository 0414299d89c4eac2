// Every thread has its own stack.
// outcome: "5 8\n"
#include <pthread.h>
#include <stdio.h>

static long fibonacci(long n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static void *work(void *arg) { return (void *)fibonacci((long)arg); }

int main(void) {
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, work, (void *)5);
    pthread_join(thread, &value);
    printf("%ld %ld\n", (long)value, fibonacci(6));
}
