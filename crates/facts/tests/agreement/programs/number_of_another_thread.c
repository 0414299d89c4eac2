// The number gets to another thread by comparisons alone.
#include <pthread.h>
unsigned long guess;
int shared;

void *run(void *arg) {
    if (guess != 0)
        *(int *)guess = 2;
    return 0;
}

int main(void) {
    int own = 1;
    int other = 3;
    pthread_t thread;
    for (unsigned long number = 0x10000; number < 0x10200; number += 16)
        if (number == (unsigned long)&own)
            guess = number;
    pthread_create(&thread, 0, run, 0);
    shared = own;
    pthread_join(thread, 0);
    return own + other;
}
