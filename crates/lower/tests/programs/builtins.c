// Builtins of the compiler are pure expressions; overflow is decided in a wider type, then the cut result is stored; what is declared
// unreachable cuts the run.

int sum;

int bits(unsigned x, unsigned long l)
{
    int r = __builtin_clz(x) + __builtin_ctzl(l) + __builtin_popcount(x);
    r += __builtin_ffs(r) + __builtin_bswap32(x);
    return __builtin_expect(r, 0) ? __builtin_constant_p(x) : 1;
}

int overflow(int a, unsigned char b)
{
    if (__builtin_add_overflow(a, b, &sum))
        return __builtin_mul_overflow_p(a, b, (short)0);
    return 0;
}

int floats(double d, float f)
{
    return __builtin_isnan(d) + __builtin_isinf(f) + __builtin_signbit(d) + __builtin_isless(d, f);
}

int ends(int x)
{
    if (x == 1)
        __builtin_unreachable();
    if (x == 2)
        __builtin_trap();
    return x;
}

int main(void)
{
    bits(1, 2);
    overflow(1, 2);
    floats(1, 2);
    ends(3);
}
