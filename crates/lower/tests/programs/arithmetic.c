// The usual arithmetic conversions: small types are extended to 32 bits by their own signedness before anything is computed, and
// the operator's signedness is that of the common type. A long has the width of a pointer, so ILP32 differs.
// Models: LP64, ILP32

long promotions(signed char c, unsigned char u, short s, _Bool b)
{
    int sum = c + u;
    unsigned short cut = s * b;
    int shifted = u << 4;
    int complement = ~u;
    return sum - cut + shifted + complement;
}

long mixed(int i, unsigned u, long l, unsigned long long w)
{
    unsigned a = i + u;
    long b = u + l;
    unsigned long long c = w - i;
    int d = i / -3;
    unsigned e = u % 7;
    long f = l >> 2;
    unsigned long long g = w >> i;
    return a + b + c + d + e + f + g;
}

double floats(float f, double d, int i, unsigned char u, long double x)
{
    f = f + i;
    d = d * f;
    i = d;
    u = f;
    x = x - d;
    return -d + x;
}

int main(void)
{
    promotions(1, 2, 3, 1);
    mixed(1, 2, 3, 4);
    floats(1, 2, 3, 4, 5);
}
