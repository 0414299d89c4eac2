// Equal numbers of different widths that change together.
#include <assert.h>
#include <pthread.h>

int x;
unsigned char narrow;
unsigned long wide;

static void *set(void *arg) {
    __atomic_store_n(&x, 1, 5);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    if (__atomic_load_n(&x, 5)) {
        narrow = 255;
        wide = 255;
    }
    narrow = narrow + 1;
    wide = wide + 1;
    assert(narrow <= 1);
    assert(wide != 256);
    pthread_join(thread, 0);
}
