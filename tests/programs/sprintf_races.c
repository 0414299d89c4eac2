// Printing into a buffer writes it.
// outcome: "0\n"
// outcome: "1\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static char text[4] = "0";

static void *work(void *arg) {
    snprintf(text, sizeof text, "%d", 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    char seen = text[0];
    pthread_join(thread, NULL);
    printf("%c\n", seen);
}
