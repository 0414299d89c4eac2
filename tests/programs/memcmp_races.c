// memcmp reads its whole range, also behind the first difference; its end races with a write there.
// outcome: "1\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char bytes[2] = { 1, 1 };

static void *work(void *arg) {
    bytes[1] = 7;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int less = memcmp(bytes, "zz", 2) < 0;
    pthread_join(thread, NULL);
    printf("%d\n", less);
}
