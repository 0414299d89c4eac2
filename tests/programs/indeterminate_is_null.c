// Whether a pointer that anybody may have chosen is null is open until it is compared, and stays as it is then.
// outcome: "null\n"
// outcome: "memory\n"
// outcome: invalid-access
// compiled: no, it has inputs
#include <stdio.h>

void *__VERIFIER_nondet_pointer(void);

int main(void) {
    int *pointer = __VERIFIER_nondet_pointer(), *copy = pointer;
    if (!pointer) {
        printf("%s\n", copy == 0 ? "null" : "wrong");
        return 0;
    }
    *copy = 1;
    printf("%s\n", pointer != 0 && copy && *pointer == 1 ? "memory" : "wrong");
}
