// A bit-field is an access of its width, with the bytes of the whole run of adjacent bit-fields, which is one memory location; a field
// of width zero or an ordinary member ends a run. Values are extended by the declared signedness and promoted to int.
// Prints: reads, writes, packed, records

struct flags {
    unsigned a : 3;
    signed b : 7;
    _Bool t : 1;
    unsigned : 0;
    unsigned long long wide : 40;
    char c;
    int d : 4, : 3, e : 9;
} f;

struct __attribute__((packed)) tight { int a : 5; int b : 30; char c; } t;

int reads(struct flags *p)
{
    int r = p->a + p->b;
    r = p->t;
    r = p->d - f.e;
    r = -p->a < 0;
    return p->wide + r;
}

int writes(int i)
{
    f.a = i;
    f.t = i;
    f.e = f.d = i;
    f.wide += i;
    return f.b = 200;
}

int packed(void)
{
    t.b = t.a;
    return t.b;
}

int main(void)
{
    reads(&f);
    writes(1);
    packed();
}
