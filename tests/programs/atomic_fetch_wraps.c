// Atomic fetch operations wrap and are no overflow.
// outcome: "2147483647 -2147483648\n"
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int value = INT_MAX;

int main(void) {
    int old = atomic_fetch_add(&value, 1);
    printf("%d %d\n", old, value);
}
