// A weak exchange may fail although the value is the expected one; a strong one may not.
// outcome: "0 0 0 1\n"
// outcome: "1 5 0 0\n"
#include <stdatomic.h>
#include <stdio.h>

static atomic_int value;

int main(void) {
    int expected = 0;
    int weak = atomic_compare_exchange_weak(&value, &expected, 5);
    printf("%d %d %d ", weak, value, expected);
    expected = 0;
    printf("%d\n", atomic_compare_exchange_strong(&value, &expected, 6));
}
