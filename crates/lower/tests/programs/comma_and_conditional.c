// A conditional with harmless arms is a pure expression; one whose arms access memory, call or may overflow is control flow into one
// temporary. A comma evaluates its left side for the effect only. `a ?: b` evaluates `a` once.
// Prints: pure, impure, for_effect, elvis, half_void, of_records

int g, h;
int f(void);
void nothing(void) {}
struct s { int a, b; } s, t;

int pure(int a, unsigned b)
{
    int r = a ? 1 : 2;
    long l = a < 0 ? b : -1L;
    return (a, b) ? r : (int)l;
}

int impure(int a)
{
    int r = a ? g : h;
    r = g ? r : -r;
    return f() ? r : a + 1;
}

void for_effect(int a)
{
    a ? f() : (g = 1);
    a ? nothing() : (void)0;
    g, h = 2, f();
    a ? 1 : 2;
}

int elvis(int a)
{
    int r = a ?: 5;
    r = g ?: h;
    r = f() ?: a++;
    return r;
}

void half_void(int a)
{
    a ?: nothing();
}

void of_records(int a)
{
    t = a ? s : t;
    g = (a ? s : t).b;
    g = (h, s).a;
}

int main(void)
{
    pure(1, 2);
    impure(1);
    for_effect(1);
    elvis(1);
    half_void(1);
    of_records(1);
}
