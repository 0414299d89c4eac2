// Records are copied scalar by scalar, each read and write an edge; arrays of more than eight elements by a loop, also when
// they are nested; bit-fields as their width; padding is left alone.

struct point { char tag; int x, y; };
struct line { struct point from, to; };
struct bits { int a : 3; unsigned : 2; unsigned b : 7; long c; };
struct large { int id; short table[3][10]; struct { int *p; char name[9]; } last; };

struct point p, q, ps[4];
struct line l;
struct bits b1, b2;
struct large v1, v2;
struct point *find(void);

void nested(struct point *to, int i)
{
    p = q;
    *to = ps[i];
    l.to = *to;
    p = q = ps[0];
    *find() = p;
}

void fields_of_bits(void) { b1 = b2; }
void large(void) { v1 = v2; }

int main(void)
{
    nested(&p, 1);
    fields_of_bits();
    large();
}
