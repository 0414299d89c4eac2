// The old value of a postfix operator is kept only where it is used; small types, narrow bit-fields among them, count in int, `_Bool` goes up to one and turns over
// by a decrement; pointers move by their element.

int g;
unsigned char u;
_Bool b;
double d;
short *p;
struct { int f : 4; unsigned u : 4; unsigned most : 31; } s;

int locals(int i, signed char c, _Bool t, float f, long *q)
{
    i++;
    --i;
    int r = i++;
    r = --i;
    r = c++;
    r = t++;
    r = t--;
    ++f;
    r = *q++;
    r = *--q;
    return r;
}

int globals(void)
{
    g++;
    int r = g--;
    r = ++g;
    r = u++;
    b++;
    b--;
    d--;
    r = *p++;
    ++*p;
    r = (*p)--;
    r = s.f++;
    r = ++s.u;
    s.most++;
    return r;
}

int main(void)
{
    locals(1, 2, 0, 3, 0);
    globals();
}
