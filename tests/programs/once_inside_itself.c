// A routine that asks for itself waits for itself.
// outcome: deadlock
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;

static void init(void) { pthread_once(&control, init); }

int main(void) { pthread_once(&control, init); }
