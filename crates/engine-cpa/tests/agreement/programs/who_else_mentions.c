// A function forgets a pointer that its caller holds, or that no other frame of the stack does.
#include <stdlib.h>

struct pair {
    int *left, *right;
} *pair;

static void set(int *at) {
    *at = 1;
    at = 0;
}

int main(void) {
    pair = malloc(sizeof *pair);
    pair->left = malloc(sizeof *pair->left);
    pair->right = malloc(2 * sizeof *pair->right);
    *pair->right = 1;
    int *held = pair->right;
    set(held);
    *held = 1;
    held = 0;
    set(pair->right);
    free(pair->left);
    free(pair->right);
    free(pair);
}
