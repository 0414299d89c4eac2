// A lock inside of the block does not keep it.
// outcome: exit ""
// outcome: lost
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

int main(void) {
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_mutex_lock(mutex);
    mutex = NULL;
    exit(0);
}
