// The connection is closed when the thread that sends on it has ended, and may then be opened again.
//
// Heddle should say: api_protocol is proved.
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
    pthread_join(thread, 0);
    connection_close(c);
    c = connection_open(2);
    connection_send(c, 2);
    connection_close(c);
    return 0;
}
