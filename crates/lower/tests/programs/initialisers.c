// Locals: an object with a list of initialisers is cleared, then each part is stored in order; constants are stored
// as they are. Of two initialisers for one place the later counts. Ranges of up to eight elements are written out, longer ones are loops.

int g;
struct in { int a; char b[4]; };
struct out { struct in x, y; unsigned low : 3, high : 5; int *p; };

int arrays(int i)
{
    int full[3] = { 1, i, g };
    int part[5] = { [3] = 7, 8 };
    int range[20] = { [2 ... 4] = i + 1, [5 ... 19] = 6 };
    int open[] = { 1, [2] = 3 };
    int zero[4] = {};
    int scalar = { 5 };
    return full[0] + part[1] + range[2] + open[0] + zero[0] + scalar + sizeof open;
}

int records(struct in *from)
{
    struct out a = { .y = *from, .y.a = 2, .p = &g, .high = g, .low = 9 };
    struct out b = { { 1, "ab" }, .x.b[2] = 'c' };
    struct in c = *from;
    union { char c; long l; } u = { .l = 5 };
    return a.x.a + b.x.a + c.a + u.c;
}

int strings(void)
{
    char exact[3] = "abc";
    char ended[] = "de";
    char padded[12] = "f";
    char *literal = "read only";
    int wide[] = L"\x3b1";
    return exact[0] + ended[0] + padded[0] + *literal + wide[0];
}

int main(void)
{
    struct in s = { 0 };
    arrays(1);
    records(&s);
    strings();
}
