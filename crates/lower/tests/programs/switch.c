// A switch is one choice among all cases, ranges included, and what is left goes to the default wherever it is, or past the switch.
// The value is promoted; its signedness orders the ranges.

int g;

int fallthrough(int n)
{
    int r = 0;
    switch (n) {
    case -1:
        r++;
    default:
        r += 2;
        break;
    case 5:
    case 6:
        r = 3;
    }
    return r;
}

int ranges(signed char c, unsigned u)
{
    switch (c) {
    case -5 ... 5:
        return 1;
    case 'a' ... 'z':
        return 2;
    }
    switch (u) {
    case 1 ... 0x80000000:
        return 3;
    }
    return 4;
}

int wide(unsigned long long w)
{
    switch (w) {
    case 0x100000000:
        return 1;
    case -1:
        return 2;
    }
    return 3;
}

int loads(void)
{
    while (1) {
        switch (g) {
        case 1:
            continue;
        case 2:
            break;
        default:
            return 3;
        }
        switch (g++) {}
        switch (g) default: break;
    }
}

int constant(void)
{
    switch (2) {
    case 1:
        return 1;
    case 2:
        return 2;
    }
    return 3;
}

int main(void)
{
    fallthrough(1);
    ranges(1, 2);
    wide(3);
    loads();
    constant();
}
