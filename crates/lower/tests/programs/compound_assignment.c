// The operation runs in the common type of both operands and its result is converted back to the place; a place in memory is read,
// then written, by two edges, and its address is evaluated once.

char c;
unsigned short us;
_Bool b;
float f;
int a[4], *p;
struct { unsigned low : 3; int high : 5; } bits;
int next(void);

void plain(int i, unsigned u, unsigned char uc, _Bool t, double d, int *q)
{
    i += u;
    i <<= 3L;
    uc += 300;
    uc >>= 1;
    t += 2;
    t &= i;
    d *= i;
    i -= d;
    q += i;
    q -= 2;
}

void memory(int i)
{
    c += 1;
    us *= us;
    b |= i;
    f /= 3;
    a[i] -= i;
    a[next()] ^= 1;
    p += i;
    *p++ += 4;
}

int bit_fields(int i)
{
    bits.low += i;
    bits.high <<= 1;
    return bits.low -= 1;
}

int main(void)
{
    plain(1, 2, 3, 1, 4, a);
    memory(1);
    bit_fields(1);
}
