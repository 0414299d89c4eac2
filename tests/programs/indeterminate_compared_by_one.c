// One thread compares a pointer while another one uses it: null only if the comparison came first.
// outcome: invalid-access
// outcome: "0\n"
// outcome: "1\n"
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>

static int *shared, is_null;

static void *look(void *arg) {
    is_null = (int *)arg == NULL;
    return NULL;
}

static void *use(void *arg) {
    *(int *)arg = 1;
    return NULL;
}

int main(void) {
    int *pointer, *before = pointer;
    pthread_t first, second;
    pthread_create(&first, NULL, look, pointer);
    pthread_create(&second, NULL, use, pointer);
    pthread_join(first, NULL);
    if (is_null) {
        printf("1\n");
        return before == NULL ? 0 : 1;
    }
    pthread_join(second, NULL);
    printf("0\n");
}
