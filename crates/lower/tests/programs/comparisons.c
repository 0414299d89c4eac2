// The order is signed, unsigned, floating or of pointers by the common type; a comparison is an int, zero or one, and the
// detour through int is folded away in conditions. `!=` is a negated `==`, `>` a turned `<`.

int g;

int integers(int i, unsigned u, signed char c, _Bool b)
{
    int r = i < 0;
    r = u > i;
    r = c >= 'a';
    r = !(i != 3);
    r = (i == 1) == (u < 2);
    r = b == 1;
    return !!r;
}

int pointers(int *p, int *q, void *v)
{
    int r = p < q;
    r = p >= q;
    r = p != v;
    r = p == 0;
    r = !p;
    r = v == &g;
    r = &g != 0;
    return r;
}

int floats(float f, double d)
{
    int r = f <= d;
    r = !(f < 1);
    r = d != 0;
    r = !d;
    if (d)
        r = 2;
    return r;
}

int main(void)
{
    integers(1, 2, 3, 0);
    pointers(&g, &g, 0);
    floats(1, 2);
}
