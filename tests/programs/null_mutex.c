// A null pointer is no lock.
// outcome: invalid-access
// compiled: no, it is undefined
#include <pthread.h>

int main(void) { pthread_mutex_lock(NULL); }
