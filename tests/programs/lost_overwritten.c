// The last pointer to a block is overwritten. After exit nobody asks what was freed.
// outcome: exit ""
// outcome: lost
#include <stdlib.h>

static void *pointer;

int main(void) {
    pointer = malloc(4);
    pointer = malloc(8);
    exit(0);
}
