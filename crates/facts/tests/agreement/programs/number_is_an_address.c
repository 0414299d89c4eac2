// A number that no address went into is compared with one.
extern void reach_error(void);
int x, y;

int main(void) {
    unsigned long number = 0x10000;
    if (number == (unsigned long)&x) {
        *(int *)number = 1;
        if (x)
            reach_error();
    }
    for (number = 0x10000; number < 0x10100; number += 16)
        if ((int *)number == &y)
            y = *(int *)number + 1;
    return 0;
}
