// The address of the loop's counter as argument: the thread may read the counter after it was increased.
// outcome: "0\n"
// outcome: "1\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static void *print(void *arg) {
    printf("%d\n", *(int *)arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int i;
    for (i = 0; i < 1; i++)
        pthread_create(&thread, NULL, print, &i);
    pthread_join(thread, NULL);
}
