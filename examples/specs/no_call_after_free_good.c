// Each one logs the entry before it may free it.
//
// Heddle should say: no_call_after_free is proved.
#include <pthread.h>
#include <stdlib.h>

struct entry {
    int users;
};

extern void log_entry(const struct entry *entry, int user);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *user(void *arg)
{
    struct entry *entry = arg;
    pthread_mutex_lock(&lock);
    log_entry(entry, entry->users);
    int left = --entry->users;
    pthread_mutex_unlock(&lock);
    if (left == 0)
        free(entry);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    struct entry *entry = malloc(sizeof *entry);
    entry->users = 2;
    pthread_create(&a, 0, user, entry);
    pthread_create(&b, 0, user, entry);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
