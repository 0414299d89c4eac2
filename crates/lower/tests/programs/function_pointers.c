// A call through a pointer names its target by value; a library function whose address is taken gets a body that does what a call of it
// would. The target is evaluated before the arguments.
// Prints: calls, through_record, malloc, strlen, unknown, globals

typedef int unary(int);
typedef unsigned long size;
void *malloc(size);
unsigned long strlen(const char *);
int unknown(int);
int g;

int one(int x) { return x + 1; }
unary *table[2] = { one, unknown };
void *(*allocate)(size) = malloc;

int calls(unary *f, int i)
{
    int r = f(1);
    r = (*f)(r);
    r = (*table[i])(g) + (*one)(4) + (&one)(5);
    r = (i ? one : f)(2);
    r = f((f = one, 3));
    allocate(4);
    unsigned long (*length)(const char *) = &strlen;
    return r + length("abc");
}

struct big { int a[2]; } make(void) { return (struct big){ { 1, 2 } }; }

int through_record(struct big (*f)(void), int (*old)())
{
    return f().a[1] + old(1, 2.0f, 'c');
}

int main(void)
{
    calls(one, 0);
    through_record(make, one);
}
