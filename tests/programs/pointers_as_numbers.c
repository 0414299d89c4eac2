// Addresses that go through arithmetic, halves, masks and exclusive or lead back to their objects.
// outcome: "5 5 5 5 5 1\n"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int *by_division(int *p) { return (int *)((uintptr_t)p / 4 * 4); }
static int *by_shift(int *p) { return (int *)((((uintptr_t)p << 8) | 7) >> 8); }
static int *by_complement(int *p) { return (int *)~~(uintptr_t)p; }
static int *by_difference(int *p)
{
    static int other;
    intptr_t distance = (intptr_t)p - (intptr_t)&other;
    return (int *)((intptr_t)&other + distance);
}
static int *by_halves(int *p)
{
    uint32_t low = (uint32_t)(uintptr_t)p, high = (uint32_t)((uintptr_t)p >> 32);
    return (int *)((uintptr_t)high << 32 | low);
}

static void *worker(void *arg)
{
    int *p = arg;
    uintptr_t number = (uintptr_t)p, expected = (number << 1) >> 1;
    int swapped = __atomic_compare_exchange_n(&number, &expected, 0, 0, 5, 5);
    printf("%d %d %d %d %d %d\n", *by_division(p), *by_shift(p), *by_complement(p), *by_difference(p), *by_halves(p), swapped);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = malloc(sizeof *block);
    *block = 5;
    pthread_create(&thread, 0, worker, block);
    pthread_join(thread, 0);
    free(block);
    return 0;
}
