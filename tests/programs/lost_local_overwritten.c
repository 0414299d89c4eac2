// The last pointer to a block is a local that is overwritten.
// outcome: exit ""
// outcome: lost
#include <stdlib.h>

int main(void) {
    void *pointer = malloc(4);
    pointer = NULL;
    exit(pointer != NULL);
}
