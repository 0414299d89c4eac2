// A switch may enter its body in the middle: the objects of the blocks around the case begin with the jump. Duff's device is a loop with
// several entries, and has a loop head.
// Prints: skipping, duff

void use(int *p) {}

int skipping(int n)
{
    switch (n) {
        int a;
        int b = 7;
    case 1:
        use(&a);
        return a + b;
    default: {
        int c = 2;
        use(&c);
        break;
    }
    }
    return 0;
}

void duff(char *to, char *from, int count)
{
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}

int main(void)
{
    char from[8], to[8];
    skipping(1);
    duff(to, from, 7);
}
