// Locks on the heap and in frames: they are forgotten with their object, though threads still wait for them.
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
};

struct node *node;
int nondet(void);

void *work(void *arg) {
    pthread_mutex_t own;
    pthread_mutex_init(&own, 0);
    pthread_mutex_lock(&own);
    pthread_mutex_lock(&node->mutex);
    pthread_cond_wait(&node->condition, &node->mutex);
    pthread_mutex_unlock(&node->mutex);
    return 0;
}

int main(void) {
    pthread_t a, b;
    node = malloc(sizeof *node);
    pthread_mutex_init(&node->mutex, 0);
    pthread_cond_init(&node->condition, 0);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    if (nondet())
        pthread_mutex_lock(&node->mutex);
    if (nondet())
        pthread_mutex_lock(0);
    pthread_cond_signal(&node->condition);
    free(node);
    if (nondet())
        node = malloc(sizeof *node);
    pthread_join(a, 0);
    return 0;
}
