// One record for all threads, filled anew each time.
#include <pthread.h>
#include <stdlib.h>
struct job { int id; int *slot; };
int out[2];
void *f(void *arg) { struct job *j = arg; *j->slot = j->id; return 0; }
int main(void) {
    pthread_t t[2];
    struct job j;
    for (int i = 0; i < 2; i++) {
        j.id = i;
        j.slot = &out[i];
        pthread_create(&t[i], 0, f, &j);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return out[0];
}
