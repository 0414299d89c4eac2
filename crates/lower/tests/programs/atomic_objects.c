// Every access to an `_Atomic` object is atomic; compound assignment, `++` and `--` are one read-modify-write.

_Atomic int a;
_Atomic _Bool flag;
_Atomic float f;
_Atomic unsigned char c;
int *_Atomic p;
struct { int plain; _Atomic long l; } s;

int objects(int i)
{
    a = i;
    i = a;
    a += i;
    i = a++;
    i = --a;
    flag |= i;
    f *= 2;
    c++;
    p += i;
    p++;
    s.l -= s.plain;
    return a = s.l;
}

int main(void) { objects(1); }
