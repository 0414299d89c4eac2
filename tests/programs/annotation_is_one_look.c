// An ACSL assertion is about one state: no write comes between its two looks at x.
// outcome: ""
// outcome: race
#include <pthread.h>

int x = 1;

static void *writer(void *arg)
{
    x = -1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    //@ assert x < 0 || x == 1;
    pthread_join(thread, 0);
    return 0;
}
