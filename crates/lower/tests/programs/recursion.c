// Functions call each other and themselves; a path that ends without a value returns an arbitrary one, which `main` does not.
// Prints: odd, even, factorial, main

int odd(unsigned n);
int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

long factorial(int n)
{
    if (n > 0)
        return n * factorial(n - 1);
}

int main(void)
{
    even(3);
    factorial(4);
}
