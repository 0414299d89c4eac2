// A key that was deleted is none any more, and its destructor does not run.
#include <pthread.h>

pthread_key_t kept, deleted;
int nondet(void);

void destroy(void *value) { pthread_setspecific(kept, 0); }

void *work(void *arg) {
    pthread_setspecific(kept, arg);
    pthread_setspecific(deleted, arg);
    pthread_key_delete(deleted);
    if (nondet())
        pthread_setspecific(deleted, arg);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&deleted, destroy);
    pthread_key_create(&kept, destroy);
    pthread_create(&thread, 0, work, &thread);
    pthread_join(thread, 0);
    return 0;
}
