// A list made by one thread, shared by its head.
#include <pthread.h>
#include <stdlib.h>
struct n { struct n *next; int v; };
struct n *_Atomic g;
void *f(void *arg) {
    struct n *list = 0, *first = 0;
    for (int i = 0; i < 3; i++) {
        struct n *n = malloc(sizeof *n);
        n->next = list;
        n->v = i;
        list = n;
        if (!first) first = n;
    }
    g = list;
    first->v = 7;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    for (struct n *n = g; n; n = n->next) n->v = 9;
    pthread_join(t, 0);
    return 0;
}
