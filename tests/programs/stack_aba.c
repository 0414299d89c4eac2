// The first node is taken, another too, and the first is put back: an exchange that only compares the head does not notice and
// makes the second node, long taken, the head.
// outcome: "0\n"
// outcome: "1\n"
// outcome: "2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

// Node 1 is before node 2; 0 is none.
static atomic_int head = 1, next[3] = {0, 2, 0};

static int pop(void) {
    int first, second;
    do {
        first = head;
        if (first == 0)
            return 0;
        second = next[first];
    } while (!atomic_compare_exchange_strong(&head, &first, second));
    return first;
}

static void push(int node) {
    int first = head;
    do
        next[node] = first;
    while (!atomic_compare_exchange_strong(&head, &first, node));
}

static void *work(void *arg) {
    pop();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int first = pop();
    pop();
    if (first == 1)
        push(first);
    pthread_join(thread, NULL);
    printf("%d\n", head);
}
