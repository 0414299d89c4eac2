// Printing a string reads it.
// outcome: "a\n"
// outcome: "b\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static char text[] = "a";

static void *work(void *arg) {
    text[0] = 'b';
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    printf("%s\n", text);
    pthread_join(thread, NULL);
}
