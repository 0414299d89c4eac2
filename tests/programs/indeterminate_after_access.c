// From its first access on, what an indeterminate pointer leads to is an object of its own.
// outcome: invalid-access
// outcome: "apart 1\n"
// compiled: no, it is undefined
#include <stdio.h>

static int first = 1;

int main(void) {
    int *pointer;
    *pointer = 2;
    printf("%s %d\n", pointer == &first || !pointer ? "wrong" : "apart", first);
}
