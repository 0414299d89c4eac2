// A destructor uses a local of main.
#include <pthread.h>
#include <stdlib.h>
int *g;
__attribute__((destructor)) void end(void) { if (g) *g = 1; }
int main(void) {
    int here = 0;
    g = &here;
    return 0;
}
