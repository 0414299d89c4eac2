// A list whose head is dropped is lost, though its nodes point to each other.
// outcome: exit ""
// outcome: lost
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *head;

int main(void) {
    head = malloc(sizeof *head);
    head->next = malloc(sizeof *head);
    head->next->next = head;
    head = NULL;
    exit(0);
}
