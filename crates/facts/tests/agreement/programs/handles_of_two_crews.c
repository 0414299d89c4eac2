// Two kinds of threads share one array of handles.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x, y;
void *one(void *arg) { x = 1; return 0; }
void *two(void *arg) { y = 1; return 0; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, one, 0);
    for (int i = 1; i < 2; i++)
        pthread_create(&t[i], 0, two, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    x = 2;
    y = 2;
    return 0;
}
