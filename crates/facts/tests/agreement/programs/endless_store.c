// A loop of one step, which writes a global that nobody else has in his hands: looking at it must come to an end.
#include <pthread.h>

int last;
int runs;

void *set(void *arg)
{
    runs = 1;
    while (1)
        last = 5;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    return 0;
}
