// A scalar whose address is never used is a plain value; one whose address is used lives in memory, and so does a parameter, which moves
// there first. `sizeof` and `*&x` are no use of an address in memory.
// Prints: both, array, record

void use(int *p) {}

int both(int a, int b)
{
    int plain = a, memory = b;
    use(&memory);
    use(&b);
    return plain + memory + b + sizeof(*&plain);
}

int array(int i)
{
    int a[2];
    a[0] = i;
    return a[0];
}

int record(int i)
{
    struct { int x, y; } s;
    s.x = i;
    return s.y;
}

int main(void)
{
    both(1, 2);
    array(3);
    record(4);
}
