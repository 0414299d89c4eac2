// A function by a name of SV-COMP is one atomic section on every path through it; begin and end are edges of their own.

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;

void section(void)
{
    __VERIFIER_atomic_begin();
    x = y;
    __VERIFIER_atomic_end();
}

int __VERIFIER_atomic_take(int *p)
{
    if (x)
        return 1;
    while (y)
        ;
    x = *p;
    return 0;
}

void __VERIFIER_atomic_empty(void) {}

int main(void)
{
    section();
    __VERIFIER_atomic_take(&y);
    __VERIFIER_atomic_empty();
}
