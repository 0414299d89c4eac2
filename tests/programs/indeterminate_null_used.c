// A pointer that was compared equal to null is null for all who have it.
// outcome: "memory\n"
// outcome: invalid-access
// compiled: no, it has inputs
#include <stdio.h>

void *__VERIFIER_nondet_pointer(void);

int main(void) {
    int *pointer = __VERIFIER_nondet_pointer(), *copy = pointer;
    if (pointer == 0)
        *copy = 1;
    else
        printf("memory\n");
}
