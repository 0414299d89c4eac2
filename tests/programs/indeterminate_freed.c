// Giving back what an indeterminate pointer leads to is no use of the heap, but a machine might go on; using it afterwards ends the run.
// outcome: invalid-free
// outcome: invalid-access
// compiled: no, it is undefined
#include <stdlib.h>

int main(void) {
    int *pointer;
    free(pointer);
    *pointer = 1;
}
