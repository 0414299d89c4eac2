// Nobody keeps the pointer.
// outcome: exit ""
// outcome: lost
#include <stdlib.h>

int main(void) {
    malloc(4);
    exit(0);
}
