// A lock beside its data in a heap block, reached by different pointers.
// outcome: "2\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
    int balance;
    pthread_mutex_t mutex;
};

static void *work(void *arg) {
    struct account *account = arg;
    pthread_mutex_lock(&account->mutex);
    account->balance++;
    pthread_mutex_unlock(&account->mutex);
    return NULL;
}

int main(void) {
    struct account *account = malloc(sizeof *account);
    pthread_mutex_t *mutex = &account->mutex;
    pthread_t thread;
    account->balance = 0;
    pthread_mutex_init(mutex, NULL);
    pthread_create(&thread, NULL, work, account);
    pthread_mutex_lock(mutex);
    account->balance++;
    pthread_mutex_unlock(mutex);
    pthread_join(thread, NULL);
    printf("%d\n", account->balance);
    pthread_mutex_destroy(mutex);
    free(account);
}
