// memcpy goes byte by byte: others see some of the bytes.
// outcome: "0\n"
// outcome: "1\n"
// outcome: "256\n"
// outcome: "257\n"
// outcome: race
// compiled: no, two bytes are copied at once
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static unsigned short shared;

static void *work(void *arg) {
    unsigned short new = 0x0101;
    memcpy(&shared, &new, sizeof new);
    return NULL;
}

int main(void) {
    unsigned short seen = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    memcpy(&seen, &shared, sizeof seen);
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}
