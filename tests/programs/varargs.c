// Functions with variable arguments in two threads.
// outcome: "1 x 2.5|7"
// outcome: "7|1 x 2.5"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int printed;

static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    pthread_mutex_lock(&mutex);
    if (printed++)
        putchar('|');
    vprintf(format, list);
    pthread_mutex_unlock(&mutex);
    va_end(list);
}

static void *work(void *arg) {
    say("%d %s %.1f", 1, "x", 2.5);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    say("%ld", 7L);
    pthread_join(thread, NULL);
}
