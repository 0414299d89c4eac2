// A block whose lock is held is replaced by another of the same place.
#include <pthread.h>
#include <stdlib.h>
struct s { pthread_mutex_t m; int v; };
struct s *_Atomic g;
int x;
void renew(void) { struct s *s = calloc(1, sizeof *s); g = s; }
void *f(void *arg) {
    struct s *s = g;
    pthread_mutex_lock(&s->m);
    x++;
    pthread_mutex_unlock(&s->m);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        renew();
        pthread_create(&t, 0, f, 0);
    }
    pthread_exit(0);
}
