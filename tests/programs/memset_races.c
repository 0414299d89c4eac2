// memset writes its whole range; its end races with a read there.
// outcome: "0\n"
// outcome: "7\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char bytes[4];

static void *work(void *arg) {
    memset(bytes, 7, sizeof bytes);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = bytes[3];
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}
