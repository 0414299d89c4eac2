// A thread looks at the address of its local after others have begun.
#include <pthread.h>
unsigned guess;
int sum;

void *run(void *arg) {
    unsigned long number = guess;
    if (number != 0)
        *(int *)number = 2;
    return 0;
}

int main(void) {
    int own = 1;
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    guess = (unsigned)(unsigned long)&own;
    own = 5;
    sum = own;
    pthread_join(thread, 0);
    return own;
}
