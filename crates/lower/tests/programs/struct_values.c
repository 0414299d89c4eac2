// A record argument is a copy that the caller makes, a record result is written through a pointer that the caller gives; what a call
// returns is fresh already and is not copied once more for the next call.

struct pair { int a, b; } g;

struct pair make(int a) { struct pair p = { a, 2 }; return p; }
struct pair swap(struct pair p) { struct pair r = { p.b, p.a }; p = r; return p; }
int sum(struct pair p, struct pair q) { p.a++; return p.a + q.b; }

int calls(struct pair *p)
{
    struct pair x = make(1);
    x = swap(g);
    g = swap(make(2));
    make(3);
    return sum(x, *p) + swap(x).b + make(4).a;
}

int main(void) { return calls(&g); }
