// A pointer in scope keeps its block though it is never used again. After exit nobody asks what was freed.
// outcome: exit ""
#include <stdlib.h>

int main(void) {
    void *pointer = malloc(4);
    exit(0);
}
