// An uninitialised pointer leads to memory that keeps what is written; using it violates memory safety, but the run goes on.
// outcome: invalid-access
// outcome: "1 7\n"
// compiled: no, it is undefined
#include <stdio.h>

int main(void) {
    int *pointer;
    pointer[0] = 1;
    pointer[5] = 7;
    printf("%d %d\n", pointer[0], pointer[5]);
}
