int printf(const char *, ...);
struct flags { unsigned a : 3; int b : 5; unsigned long long wide : 40; signed sign : 1; unsigned char c; };
struct flags f;
int main(void) {
    f.wide = (unsigned long long)(1 + 1) << 33;
    printf("%llu %llu\n", (unsigned long long)(f.wide << 9), (unsigned long long)((f.wide << 9) % 1000003));
    printf("%d\n", (int)sizeof f);
    unsigned u = (unsigned)(f.a + f.b * 8 + f.sign * 256 + (f.wide << 9) % 1000003);
    printf("%u\n", u);
}
