// The function of a thread calls itself: it goes on behind the call.
#include <pthread.h>
int x;
void *f(void *arg) {
    if (arg) {
        f(0);
        x = 1;
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, &x);
    return x;
}
