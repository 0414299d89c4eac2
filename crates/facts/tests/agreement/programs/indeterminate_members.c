#include <stdlib.h>
struct node {
    struct node *next;
    int value;
    int *data;
};
extern void *__VERIFIER_nondet_pointer(void);
int global;

int main(void) {
    struct node *first = malloc(sizeof *first);
    struct node *given = __VERIFIER_nondet_pointer();
    first->value = 1;
    if (first->next == first)
        first->next->value = 2;
    if (given) {
        given->data = &global;
        given->value = first->value;
        if (given->next && given->next != given)
            given->next->value++;
        *given->data = 7;
        if (given == first)
            global = first->value / (first->value - 7);
    }
    return 10 / global;
}
