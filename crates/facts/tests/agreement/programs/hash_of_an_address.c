// An address, cut to 32 bits, is kept and changed.
#include <stdlib.h>
struct entry {
    unsigned hash;
    int value;
} fixed;

static void seed(struct entry *entry) {
    entry->hash = (unsigned)(unsigned long)entry;
    entry->hash += 17;
    entry->hash ^= entry->hash >> 7;
    entry->hash %= 64;
    entry->value = 1;
}

int main(void) {
    struct entry *block = malloc(sizeof *block);
    seed(block);
    seed(&fixed);
    fixed.hash = (int)(long)&fixed;
    fixed.hash += 1;
    free(block);
    return fixed.hash != 0;
}
