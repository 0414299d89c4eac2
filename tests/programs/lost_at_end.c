// Return from main drops its frame first.
// outcome: ""
// outcome: lost
// outcome: not-freed
#include <stdlib.h>

int main(void) {
    void *pointer = malloc(4);
    return pointer == NULL;
}
