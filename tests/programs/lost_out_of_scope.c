// The last pointer is a local whose scope ends.
// outcome: exit ""
// outcome: lost
#include <stdlib.h>

int main(void) {
    {
        void *pointer = malloc(4);
    }
    exit(0);
}
