// The macro that leads from a member to its record: the pointer survives the scope of the statement expression.
// outcome: "7 9\n"
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

struct inner {
    int a;
};
struct outer {
    int before;
    struct inner member;
    int after;
};

#define container_of(pointer, type, name)                                \
    ({                                                                   \
        const __typeof__(((type *)0)->name) *inside = (pointer);         \
        (type *)((char *)inside - offsetof(type, name));                 \
    })

static struct outer object;

static void *worker(void *arg)
{
    struct inner *inner = arg;
    struct outer *outer = container_of(inner, struct outer, member);
    outer->before = 7;
    outer->after = 9;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, &object.member);
    pthread_join(thread, 0);
    printf("%d %d\n", object.before, object.after);
    return 0;
}
