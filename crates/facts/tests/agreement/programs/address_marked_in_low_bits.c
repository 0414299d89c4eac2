#include <pthread.h>
#include <stdlib.h>
struct node {
    unsigned long next;
    int value;
} list;

void *run(void *arg) {
    unsigned long next = list.next;
    if (next & 1)
        ((struct node *)(next & ~1ul))->value = 2;
    ((struct node *)(next ^ (next & 1)))->value += 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    struct node *block = malloc(sizeof *block);
    block->value = 0;
    list.next = (unsigned long)block | 1;
    pthread_create(&thread, 0, run, 0);
    block->value = 1;
    pthread_join(thread, 0);
    return block->value;
}
