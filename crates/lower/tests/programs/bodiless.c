// A function without body or model returns an arbitrary value, a record included, and an object without definition is arbitrary at the start;
// both are in the ledger once, with the number of places. An undeclared function returns int.
// Prints: calls, globals, ledger

struct s { int a; _Bool b; };
int number(int, int *);
_Bool truth(void);
void nothing(void);
struct s record(void);
extern int outside;
extern struct s table[];
int g;

int calls(void)
{
    int r = number(outside, &g);
    r += truth() + number(1, 0);
    nothing();
    r += record().b;
    r += undeclared(r);
    return r + table[1].a;
}

int main(void) { calls(); }
