// A block of one's own leads to that of the thread before.
#include <pthread.h>
#include <stdlib.h>
struct s { int own; struct s *last; };
void *f(void *arg) { struct s *s = arg; s->own = 1; if (s->last) s->last->own = 2; return 0; }
int main(void) {
    pthread_t t[2];
    struct s *last = 0;
    for (int i = 0; i < 2; i++) {
        struct s *s = malloc(sizeof *s);
        s->last = last;
        last = s;
        pthread_create(&t[i], 0, f, s);
    }
    pthread_exit(0);
}
