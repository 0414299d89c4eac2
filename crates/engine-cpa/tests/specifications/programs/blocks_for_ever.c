// New blocks for ever: what was freed and is not named any more must not make states differ.
// spec: for each $p { initial state s { on return malloc -> $p goto live; } state live { on call free($p) goto dead; } state dead { on call use($p) goto error "e"; on call free($p) goto error "e"; } }
// spec: for each $p { initial state s { on call free($p) goto dead; } state dead { on call use($p) goto error "e"; } }
// spec: { initial state s { on call free($p) goto dead; } state dead { on call use($p) goto error "e"; on call free($q) when $p == $q goto error "e"; } }
#include <pthread.h>
#include <stdlib.h>

void use(int *p)
{
    *p = 1;
}

void *worker(void *arg)
{
    while (1) {
        int *p = malloc(sizeof(int));
        use(p);
        free(p);
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    return 0;
}
