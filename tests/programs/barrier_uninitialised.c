// A barrier must be told for how many it is.
// outcome: undefined handle
// compiled: no, it is undefined
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void) { pthread_barrier_wait(&barrier); }
