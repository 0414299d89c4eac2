// Pointer arithmetic counts bytes in words; constant offsets are folded; differences divide by the size of the element; an integer
// made from a pointer and back is the pointer itself.
// Models: LP64, ILP32

struct pair { int a; long b[4]; };
struct pair pairs[3];
int m[2][5];

int *moves(int *p, int i, unsigned u)
{
    p = p + i;
    p = p - u;
    p = &p[2] - 1;
    p += 3;
    p -= i;
    return p + 1L;
}

long *fields(struct pair *p, int i)
{
    p->b[i] = 1;
    (p + 1)->a = 2;
    pairs[2].b[3] = 3;
    *(*(m + 1) + 2) = 4;
    m[i][i + 1] = 5;
    return &p->b[1];
}

long distances(struct pair *p, char *c)
{
    long d = p - pairs;
    d += c - (char *)p;
    return d;
}

int *integers(int *p, unsigned long w)
{
    unsigned long n = (unsigned long)p;
    p = (int *)(unsigned long)p;
    p = (int *)8;
    p = (int *)(n + w);
    return p;
}

int main(void)
{
    moves(m[0], 1, 2);
    fields(pairs, 1);
    distances(pairs, 0);
    integers(m[0], 1);
}
