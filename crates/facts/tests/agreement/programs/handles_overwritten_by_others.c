// Another thread puts its own handle where one is joined.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x;
pthread_t t[2];
void *leaf(void *arg) { x = 1; return 0; }
void *other(void *arg) { t[0] = t[1]; return 0; }
int main(void) {
    pthread_t o;
    pthread_create(&o, 0, other, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, leaf, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    x = 2;
    return 0;
}
