// Operands and arguments are evaluated from left to right: a local read on the left is saved when what follows may change it, and so is
// what may fail when a call follows that may not come back; nothing is saved otherwise. The right-hand side comes before the store.
// Prints: saved, unsaved, address_taken

int g, h, a[4];
int f(int x, int y) { return x - y; }
int change(int *p) { return *p = 1; }

int saved(int x, int y)
{
    int r = f(x, x++);
    r = f(x + y, (y = 2, x));
    r = x + f(1, 2);
    r = x / y + f(1, 2);
    r = x * (y++, y);
    r = f(x + 1, f(y, x));
    a[x] = f(x, 3);
    return r;
}

int unsaved(int x, int y)
{
    int r = f(x, y);
    r = x + g;
    r = g + h;
    r = f(g, h);
    g = h = x;
    a[g] = a[h];
    a[x++] = x;
    return r;
}

int address_taken(int x)
{
    return x + change(&x) + x;
}

int main(void)
{
    saved(1, 2);
    unsaved(1, 2);
    address_taken(1);
}
