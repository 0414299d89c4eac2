// The main thread closes the connection without waiting for the thread that sends on it.
//
// Heddle should say: api_protocol is violated if the connection is closed before the worker sends.
#include <pthread.h>
#include "connection.h"

void *worker(void *arg)
{
    connection_send(arg, 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct connection *c = connection_open(0);
    pthread_create(&thread, 0, worker, c);
    connection_close(c);
    pthread_join(thread, 0);
    return 0;
}
