// A byte of a number on the heap is set by itself.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned char *bytes = malloc(8);
    if (!bytes)
        return 0;
    *(int *)bytes = 5;
    bytes[2] = 1;
    assert(*(int *)bytes == 65541);
    free(bytes);
}
