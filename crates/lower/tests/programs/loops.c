// Every cycle has one head, marked by a star, and nothing but the loop's own edges: tests of constants, empty bodies and steps leave none.

int g;

int kinds(int n)
{
    int s = 0;
    while (s < n)
        s++;
    do
        s--;
    while (s > 0);
    for (int i = 0; i != n; i++)
        s += i;
    return s;
}

void endless(int n)
{
    for (;;) {
        if (n == 1)
            continue;
        if (n == 2)
            break;
        n++;
    }
    while (g)
        ;
    while (1)
        ;
}

int once(int n)
{
    do {
        if (n)
            break;
        n = 1;
    } while (0);
    while (0)
        n = 2;
    return n;
}

int nested(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = n; j; j--) {
            if (j == i)
                goto out;
            if (i == 2)
                break;
        }
out:
    return n;
}

int main(void)
{
    kinds(3);
    once(1);
    nested(2);
    endless(1);
}
