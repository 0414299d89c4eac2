#include <pthread.h>
int target;
unsigned high, low;

void *run(void *arg) {
    unsigned long number = (unsigned long)high << 32 | low;
    *(int *)number = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    unsigned long number = (unsigned long)&target;
    high = number >> 32;
    low = (unsigned)number;
    pthread_create(&thread, 0, run, 0);
    target = 2;
    pthread_join(thread, 0);
    return target;
}
