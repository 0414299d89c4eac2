// Peterson's algorithm; the critical section counts entries.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
void pthread_exit(void *);

_Atomic int flag[2];
_Atomic int turn;
int entries;

void *worker(void *arg) {
    int me = (int)(long)arg;
    for (int i = 0; i < ROUNDS; i++) {
        flag[me] = 1;
        turn = 1 - me;
        while (flag[1 - me] && turn != me)
            ;
        entries = entries + 1;
        flag[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_exit(0);
}
