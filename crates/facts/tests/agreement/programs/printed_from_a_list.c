// What a list of arguments leads to is read.
#include <pthread.h>
#include <stdlib.h>
#include <stdarg.h>
#include <stdio.h>
char text[4] = "ab";
void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
void *f(void *arg) { text[0] = 'x'; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    say("%s\n", text);
    return 0;
}
