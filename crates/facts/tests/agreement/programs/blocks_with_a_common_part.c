// Each thread has a block of its own that leads to a common one.
#include <pthread.h>
#include <stdlib.h>
struct s { int own; int *common; };
void *f(void *arg) { struct s *s = arg; s->own = 1; ++*s->common; return 0; }
int main(void) {
    pthread_t t[2];
    int *c = calloc(1, 4);
    for (int i = 0; i < 2; i++) {
        struct s *s = malloc(sizeof *s);
        s->common = c;
        pthread_create(&t[i], 0, f, s);
    }
    pthread_exit(0);
}
