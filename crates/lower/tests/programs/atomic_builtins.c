// GCC's and C11's atomic operations are single atomic edges on the object; a compare-and-exchange reads the expected value plainly
// before and replaces it plainly after a failure. Nothing is saved that nothing can change.

int x, y, *p, *q;
long l;
_Bool flag;
int f(void);

int sync(int i, int *o)
{
    i = __sync_fetch_and_add(&x, 1);
    i = __sync_sub_and_fetch(o, i);
    i = __sync_fetch_and_nand(&x, 3);
    i = __sync_bool_compare_and_swap(&x, 0, 1);
    i = __sync_val_compare_and_swap(o, i, f());
    i = __sync_lock_test_and_set(&x, 1);
    __sync_lock_release(&x);
    __sync_synchronize();
    __sync_fetch_and_add(&p, 4);
    return i;
}

int generic(int i, int *o)
{
    i = __atomic_load_n(o, 2);
    __atomic_store_n(&x, i, 3);
    i = __atomic_exchange_n(&x, 2, 5);
    i = __atomic_add_fetch(&x, i, 0);
    l = __atomic_fetch_or(&l, i, 0);
    i = __atomic_compare_exchange_n(o, &y, i, 0, 5, 5);
    if (__atomic_compare_exchange_n(&x, o, 3, 1, 5, 5))
        i = 1;
    __atomic_load(&x, &i, 5);
    __atomic_store(o, &y, 5);
    __atomic_exchange(&p, &q, &p, 5);
    i = __atomic_test_and_set(&flag, 5);
    __atomic_clear(&flag, 5);
    __atomic_thread_fence(5);
    return i;
}

int main(void)
{
    sync(1, &y);
    generic(1, &y);
}
