// Pointers in memory that nobody has written are indeterminate, too: each is one, however often it is read.
// outcome: invalid-access
// outcome: "3 3\n"
// outcome: not-freed
// outcome: lost
// compiled: no, it is undefined
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *node = malloc(sizeof *node);
    node->next->next->value = 3;
    struct node *third = node->next->next;
    printf("%d %d\n", third->value, node->next->next->value);
}
