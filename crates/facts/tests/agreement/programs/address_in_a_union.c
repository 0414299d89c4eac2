#include <pthread.h>
union {
    int *pointer;
    unsigned char bytes[sizeof(int *)];
    unsigned halves[2];
} from, to;
int value;

void *run(void *arg) {
    *to.pointer = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    from.pointer = &value;
    for (unsigned i = 0; i < sizeof from.bytes; i++)
        to.bytes[i] = from.bytes[i];
    from.halves[0] += 0;
    pthread_create(&thread, 0, run, 0);
    value = 1;
    if (from.pointer == &value)
        *from.pointer = 3;
    pthread_join(thread, 0);
    return value;
}
