// One variable for two handles.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++)
        pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    x = 2;
    return 0;
}
