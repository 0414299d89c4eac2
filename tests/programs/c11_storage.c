// C11: thread-specific storage with a destructor, call_once, thrd_equal.
// outcome: "once 1 d 0\n"
#include <stdio.h>
#include <threads.h>

static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static thrd_t first;

static void routine(void) { printf("once "); }

static void destroy(void *value) { printf("%s ", (char *)value); }

static int work(void *arg) {
    call_once(&flag, routine);
    tss_set(key, "d");
    printf("%d ", tss_get(key) != NULL);
    return thrd_equal(thrd_current(), first) != 0;
}

int main(void) {
    thrd_t thread;
    int same;
    tss_create(&key, destroy);
    first = thrd_current();
    call_once(&flag, routine);
    thrd_create(&thread, work, NULL);
    thrd_join(thread, &same);
    printf("%d\n", same);
    tss_delete(key);
}
