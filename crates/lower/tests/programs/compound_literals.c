// A compound literal is a new object each time control passes it; it ends with the block that it is in, like any local.
// Prints: block, loop, globals

struct s { int a, b; };
int *p;
int use(struct s *p) { return p->a; }

int block(int i)
{
    int r = 0;
    {
        p = &(int){ i };
        r = use(&(struct s){ .b = i });
    }
    return r + (struct s){ 3, 4 }.b;
}

void loop(int n)
{
    while (n--)
        use(&(struct s){ n });
}

int *(file_scope) = (int[]){ 1, 2 };

int main(void)
{
    block(1);
    loop(2);
    return *file_scope;
}
