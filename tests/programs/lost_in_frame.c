// The last pointer is a local of a function that returns.
// outcome: exit ""
// outcome: lost
#include <stdlib.h>

static int allocate(void) {
    char *pointer = malloc(4);
    return pointer != NULL;
}

int main(void) {
    exit(!allocate());
}
