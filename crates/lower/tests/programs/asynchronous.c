// `__CPROVER_ASYNC_n:` starts a detached thread: arguments are evaluated before and handed over in a block; a block of statements that
// uses no local becomes a function of its own.

int g;

void worker(int n, char *p) { g = n; }
void plain(void) { g = 1; }

void starts(int i)
{
__CPROVER_ASYNC_1:
    worker(i, 0);
__CPROVER_ASYNC_2:
    plain();
__CPROVER_ASYNC_3: {
    int own = 2;
    g = own;
    if (g)
        return;
    g = 3;
}
}

int main(void) { starts(1); }
