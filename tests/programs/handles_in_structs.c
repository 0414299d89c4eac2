// A record for each worker: handle, input and result.
// outcome: "1 4\n"
#include <pthread.h>
#include <stdio.h>

struct worker {
    pthread_t handle;
    int input, result;
};

static void *square(void *arg) {
    struct worker *self = arg;
    self->result = self->input * self->input;
    return NULL;
}

int main(void) {
    struct worker workers[2] = {{.input = 1}, {.input = 2}};
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i].handle, NULL, square, &workers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i].handle, NULL);
    printf("%d %d\n", workers[0].result, workers[1].result);
}
