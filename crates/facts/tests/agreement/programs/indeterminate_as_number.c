// What nobody has written is read as a pointer first, then as a number.
#include <stdlib.h>
union cell {
    int *pointer;
    unsigned long number;
    unsigned char bytes[8];
};
extern void reach_error(void);

int main(void) {
    union cell *cell = malloc(sizeof *cell), copy;
    int *pointer = cell->pointer;
    unsigned long number = cell->number;
    for (int i = 0; i < 8; i++)
        copy.bytes[i] = cell->bytes[i];
    if (number == 0)
        return *pointer;
    *(int *)number = 4;
    if (*pointer == 4 && *copy.pointer == 4)
        reach_error();
    return 0;
}
