// A pointer into the block keeps it.
// outcome: "7\n"
#include <stdio.h>
#include <stdlib.h>

static int *inner;

int main(void) {
    int *block = malloc(2 * sizeof *block);
    inner = block + 1;
    block = NULL;
    *inner = 7;
    printf("%d\n", *inner);
    free(inner - 1);
}
