// A number where a string should be.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *text = __VERIFIER_nondet_int() ? "abc" : 0;
    printf("%d %s %p\n", 1, text, (void *)text);
    switch (__VERIFIER_nondet_int()) {
    case 0: puts(text); break;
    case 1: printf("%*s\n", 3, (char *)8); break;
    case 2: printf("%s\n", 8L); break;
    case 3: sprintf("abc", "%d", 1); break;
    default: puts("abc");
    }
    return 0;
}
