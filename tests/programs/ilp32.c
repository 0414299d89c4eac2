// The 32-bit data model: long and pointers have four bytes.
// outcome: "4 4 -1\n"
// model: ilp32
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) { return (void *)((long)arg << 1); }

int main(void) {
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, work, (void *)0x7fffffff);
    pthread_join(thread, &value);
    printf("%d %d %ld\n", (int)sizeof(long), (int)sizeof value, (long)value + 1);
}
