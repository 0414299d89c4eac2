// Lock-free pushes: no node is lost. The weak exchange may fail and is repeated.
// outcome: "2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct node {
    struct node *next;
};

static struct node *_Atomic head;

static void *push(void *arg) {
    struct node *node = arg;
    node->next = head;
    while (!atomic_compare_exchange_weak(&head, &node->next, node))
        ;
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct node a, b;
    int length = 0;
    pthread_create(&thread, NULL, push, &a);
    push(&b);
    pthread_join(thread, NULL);
    for (struct node *node = head; node; node = node->next)
        length++;
    printf("%d\n", length);
}
