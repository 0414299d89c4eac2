// A global that one thread owns but for printing by another.
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

char text[4] = "ab";
void *f(void *arg) { text[0] = 'x'; char c = text[0]; text[1] = c; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    printf("%s\n", text);
    return 0;
}
