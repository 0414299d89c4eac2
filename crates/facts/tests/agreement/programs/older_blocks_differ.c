// Cells of several blocks under one name differ.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; int v; pthread_mutex_t m; };
int x;
int main(void) {
    struct n *list = 0;
    for (int i = 0; i < 3; i++) {
        struct n *n = malloc(sizeof *n);
        n->next = list;
        n->v = __VERIFIER_nondet_int();
        list = n;
    }
    struct n *p = list->next, *q = p->next;
    int a = p->v, b = q->v;
    if (a != b) x = 1;
    return a - b;
}
