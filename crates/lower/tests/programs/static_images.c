// Objects of static storage are images of bytes with pointers in between; nothing is executed for them.
// Prints: globals
// Models: LP64, ILP32

int f(int x) { return x; }
int a[4] = { 1, [2] = -1 };
struct node { struct node *next; char name[6]; double d; int (*call)(int); };
struct node first = { &first + 1, "first", 0.5, f };
struct node *list = &first;
int *inner = &a[1], *end = a + 4, *none = 0, *number = (int *)16;
struct { unsigned low : 3, : 2, high : 6; int wide; } bits = { 5, 33, 7 };
long address = (long)&a[2];
char text[] = "text", *literal = "shared", *tail = "literal" + 3;
float numbers[] = { [1] = 1.5f, -2 };
_Bool truth = 7;
short ranges[2][3] = { [0 ... 1] = { [1] = 9 } };
union { char c; int i; } u = { .i = 258 };
int (*table[])(int) = { f, 0, f };
struct { int count; int rest[]; } flexible = { 2, { 3, 4 } };
const int unused = 3;

int main(void)
{
    return list->d + *inner + *end + bits.low + address + *text + *literal + *tail + numbers[0] + truth + ranges[0][0] + u.c
        + table[0](1) + flexible.count + (none == number);
}
