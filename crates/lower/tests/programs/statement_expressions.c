// A statement expression has a scope of its own; its value outlives it. Control may leave it.
// Prints: scalar, record, leaves

struct s { int a, b; } g;
void use(int *p) {}

int scalar(int x)
{
    int r = ({ int y = x; use(&y); y; });
    r += ({ int y = r; y * 2; }) + ({ x++; });
    ({ x = 3; });
    ({ if (x) r++; });
    return r;
}

int record(void)
{
    g = ({ struct s t = { 1, 2 }; t; });
    return ({ g; }).b;
}

int leaves(int n)
{
    while (1)
        use(&(int){ ({ if (n) break; int y = n; use(&y); if (y) return 1; y; }) });
    return 2;
}

int main(void)
{
    scalar(1);
    record();
    leaves(1);
}
