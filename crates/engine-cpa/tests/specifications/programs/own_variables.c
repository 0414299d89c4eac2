// Variables of each thread's own, bit-fields, arrays, pointers.
// spec: { initial state s { when own == 2 goto error "e"; } }
// spec: { initial state s { when own == 3 goto error "e"; } }
// spec: { initial state s { on call step($n) when $n == own goto t; } state t { when flags.b == 5 goto error "e"; } }
// spec: { initial state s { when flags.a == 1 && flags.b == 0 goto t; } state t { when flags.b > 5 goto error "e"; } }
// spec: { initial state s { when p == &cells[1] goto t; } state t { when cells[1] == -1 goto error "e"; } }
// spec: { initial state s { when p == null goto t; } state t { on write cells[1] when p == null goto error "e"; } }
// spec: for each thread { initial state s { on call step(1) goto t; } state t { on call step(2) goto error "e"; } }
// spec: for each $n { initial state s { on call step($n) goto t; } state t { on call step($n) goto error "e"; } }
#include <pthread.h>

__thread int own;
struct { unsigned a : 3, b : 4; } flags;
int cells[2];
int *p;

void step(int n)
{
    own = n;
}

void *worker(void *arg)
{
    step(1);
    flags.a = 1;
    p = &cells[1];
    *p = -1;
    flags.b = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    step(2);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
