// The pointer moves on while its lock is held.
#include <pthread.h>
#include <stdlib.h>
struct s { pthread_mutex_t m; int v; struct s *next; } s[2];
void *f(void *arg) {
    struct s *p = arg;
    pthread_mutex_lock(&p->m);
    struct s *q = p;
    p = p->next;
    p->v = 1;
    pthread_mutex_unlock(&q->m);
    return 0;
}
int main(void) {
    pthread_t t;
    s[0].next = &s[1];
    s[1].next = &s[0];
    for (int i = 0; i < 2; i++)
        pthread_create(&t, 0, f, &s[0]);
    struct s *p = &s[1];
    pthread_mutex_lock(&p->m);
    p->v = 2;
    pthread_mutex_unlock(&p->m);
    pthread_exit(0);
}
