// What runs before and after main: mutexes of a special kind are initialised, constructors run, then main, then destructors, then the
// program ends.
// Prints: <start>, ledger

struct __pthread_mutex_s { int lock; unsigned count; int owner; unsigned nusers; int __kind; };
typedef union { struct __pthread_mutex_s data; char size[40]; } pthread_mutex_t;
pthread_mutex_t locks[2] = { { { 0 } }, { { 0, 0, 0, 0, 1 } } };
int g;

__attribute__((constructor)) static void before(void) { g = 1; }
__attribute__((destructor)) static void after(void) { g = 2; }

int main(void)
{
    return locks[1].data.lock;
}
