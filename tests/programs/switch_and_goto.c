// Switch with fall-through, goto out of loops, do-while and continue in a thread.
// outcome: "ac!"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    int i = 0;
    do {
        switch (i) {
        case 0:
            putchar('a');
            continue;
        case 1:
            break;
        case 2:
            putchar('b');
        default:
            goto out;
        }
        putchar('c');
        for (;;)
            if (i++ == 1)
                goto out;
    } while (i++ < 3);
    putchar('d');
out:
    putchar('!');
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}
