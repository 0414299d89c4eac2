// An indeterminate pointer may be equal to the address of a variable, and then it and its copies lead there.
// outcome: "first 5 1\n"
// outcome: "second 1 6\n"
// outcome: "other\n"
// compiled: no, it is undefined
#include <stdio.h>

static int first = 1, second = 1;

int main(void) {
    int *pointer, *copy = pointer;
    if (pointer == &first) {
        *copy = 5;
        printf("first %d %d\n", first, second);
    } else if (pointer == &second) {
        *pointer = 6;
        printf("second %d %d\n", first, second);
    } else
        printf("%s\n", copy == &first || copy == &second ? "wrong" : "other");
}
