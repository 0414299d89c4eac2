// A union is copied in the largest pieces that its alignment allows, as pointers where a member has one, so that no member
// loses what it holds; inside a struct as well.

union number { long l; double d; char c[11]; };
union small { char c[3]; };
union link { int *p; long n; };
struct tagged { int tag; union { int i; struct { int *p; short s; } q; } u; };

union number n1, n2;
union small s1, s2;
union link k1, k2;
struct tagged t1, t2;

void copy(void)
{
    n1 = n2;
    s1 = s2;
    k1 = k2;
    t1 = t2;
}

float pun(int i)
{
    union { int i; float f; } u;
    u.i = i;
    return u.f;
}

int main(void)
{
    copy();
    pun(1);
}
