// The length of a variable-length array is fixed where it is declared; the array ends with its block and is counted in elements that
// may themselves be of variable length, also in parameters. `alloca` lasts as long as the frame.
// Models: LP64, ILP32
// Prints: vla, parameter, types, frame

void use(void *p) {}
int g;

int vla(int n)
{
    int a[n], b[n][g];
    n = 0;
    a[1] = 2;
    b[1][2] = 3;
    for (int i = 0; i < 3; i++) {
        char c[i + 1];
        use(c);
        if (i == 1)
            break;
    }
    return sizeof a + sizeof b[0];
}

int parameter(int n, int m[][n])
{
    n++;
    return m[1][2];
}

void types(short n)
{
    typedef int row[n];
    n = 1;
    row *p = 0;
    use(p + 1);
}

void frame(unsigned n)
{
    while (n--)
        use(__builtin_alloca(n));
}

int main(void)
{
    int m[2][3] = { 0 };
    vla(3);
    parameter(3, m);
    types(2);
    frame(2);
}
