// model: lp64
#include <pthread.h>
char bytes[6];
int result;

void *run(void *arg) {
    result = *(int *)(bytes + 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    bytes[5] = 1;
    pthread_join(thread, 0);
    return 0;
}
