// A local in memory is a new object at each entry to its block and ends on every path out: at the end, by break and by continue;
// `return` ends the whole frame. A plain local without initialiser takes an arbitrary value where it is declared.
// Prints: ways_out, in_for, cleanup

void use(int *p) {}

int ways_out(int n)
{
    int outer;
    use(&outer);
    while (n > 0) {
        int inner = n--;
        int plain;
        use(&inner);
        if (n == 1)
            continue;
        if (n == 2)
            break;
        if (n == 3)
            return plain;
        {
            int deep;
            use(&deep);
            if (n == 4)
                break;
        }
    }
    return outer;
}

void in_for(int n)
{
    for (int i = 0; i < n; i++) {
        int a[2] = { i };
        use(a);
    }
    for (int i = 0, *p = &i; i < n; ++*p)
        use(p);
}

void release(int *);

int cleanup(int n)
{
    __attribute__((cleanup(release))) int held = n;
    if (n)
        return held;
    return 0;
}

int main(void)
{
    ways_out(5);
    in_for(2);
    cleanup(1);
}
