// Storing the handle is a plain write: a thread that runs already may see it or not.
// outcome: "0\n"
// outcome: "1\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static pthread_t second;

static void *nothing(void *arg) { return NULL; }

static void *look(void *arg) { return (void *)(long)(second != 0); }

int main(void) {
    pthread_t first;
    void *seen;
    pthread_create(&first, NULL, look, NULL);
    pthread_create(&second, NULL, nothing, NULL);
    pthread_join(first, &seen);
    pthread_join(second, NULL);
    printf("%ld\n", (long)seen);
}
