extern int __VERIFIER_nondet_int(void);
int table[4];

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), sum = 0;
    if (a >= 0 && a < 32)
        sum += 1 << a;
    if (b != 0)
        sum += 10 / b;
    switch (a) {
    case 0:
        return 10 % (b & 1);
    case 1:
        return 1 << b;
    case 7:
        return table[b];
    default:
        return (b ? a : 4 / b) + sum;
    }
}
