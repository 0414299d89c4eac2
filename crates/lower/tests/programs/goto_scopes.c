// A jump out of blocks ends their objects, innermost first; a jump into a block begins its objects, and what it passes by is arbitrary;
// a jump backwards over a declaration makes no new object, but passes its initialiser again.
// Prints: out, into, back

void use(int *p) {}

int out(int n)
{
    int a;
    {
        int b;
        {
            int c;
            use(&c);
            if (n)
                goto done;
        }
        use(&b);
    }
done:
    use(&a);
    return a;
}

int into(int n)
{
    if (n)
        goto inside;
    {
        int a = 1, b = 2;
        use(&a);
    inside:
        use(&a);
        n = a + b;
    }
    return n;
}

int back(int n)
{
again:;
    int a = 1;
    use(&a);
    if (n--)
        goto again;
    return a;
}

int main(void)
{
    out(1);
    into(1);
    back(1);
}
