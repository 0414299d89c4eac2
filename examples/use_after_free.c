// The main thread frees a message while the worker may still read it: the flag tells that the worker has started, not that
// it has finished.
//
// Heddle should say: invalid access (valid-memsafety: valid-deref), and a data race between `free` and the read.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
    int length;
};

struct message *message;
atomic_int started;
int seen;

void *worker(void *arg)
{
    (void)arg;
    atomic_store(&started, 1);
    seen = message->length;
    return 0;
}

int main(void)
{
    pthread_t thread;
    message = malloc(sizeof *message);
    if (!message)
        return 1;
    message->length = 7;
    pthread_create(&thread, 0, worker, 0);
    while (!atomic_load(&started))
        ;
    free(message);
    pthread_join(thread, 0);
    return 0;
}
