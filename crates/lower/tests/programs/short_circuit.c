// Operands that cannot fail and touch no memory make one pure condition; an access, a call or signed arithmetic that may overflow
// behind `&&` or `||` is reached only by control flow. In a statement of its own no value is kept.
// Prints: pure, loads, may_fail, for_effect

int g, h;
int f(void) { return 1; }

int pure(int a, unsigned b, _Bool c)
{
    if (a > 0 && b < 3 || !c)
        return 1;
    return a && b;
}

int loads(int a)
{
    if (a && g)
        return 1;
    if (g || h)
        return 2;
    return !(g && a) || h;
}

int may_fail(int a, int b, int *p)
{
    if (b != 0 && a / b > 1)
        return 1;
    if (a < 0 || a + b < 0)
        return 2;
    return p && *p;
}

void for_effect(int a)
{
    a && f();
    a || (g = 1);
    (void)(g && h++);
}

int main(void)
{
    pure(1, 2, 1);
    loads(1);
    may_fail(1, 2, &g);
    for_effect(1);
}
