//! What is accepted, and what tree it gives.

use super::{accepted, statements};
use crate::ast::{
    ArraySize, Basic, Derived, Encoding, ExprKind, ExternalDecl, Initializer, Quals, StatementKind, Storage, TypeSpec,
};

/// Asserts that `nodes` occur in this order in the dump of `text`, others between them.
fn has_nodes(text: &str, nodes: &[&str]) {
    let found = accepted(text).nodes();
    let mut rest = found.iter();
    for node in nodes {
        assert!(rest.any(|line| line == node), "‘{node}’ is missing or misplaced in {text}:\n{}", found.join("\n"));
    }
}

#[test]
fn binary_operators_bind_as_in_c() {
    has_nodes(
        "int x = a + b * c << 1 == 2 && d;",
        &["binary LogAnd", "binary Eq", "binary Shl", "binary Add", "name a", "binary Mul", "name b", "name d"],
    );
    has_nodes("int x = a - b - c;", &["binary Sub", "binary Sub", "name a", "name b", "name c"]);
    has_nodes("void f() { a = b = c ? d : e, g; }", &["comma", "assign", "name a", "assign", "conditional", "name g"]);
    has_nodes("int x = a ?: b;", &["conditional without middle"]);
    has_nodes("int x = -a++ ^ *b[1]->c.d(2, 3);", &["binary BitXor", "unary Minus", "unary PostIncrement"]);
    has_nodes("int x = *b[1]->c.d(2);", &["unary Deref", "call", "member d", "arrow c", "index", "name b", "int 2"]);
}

#[test]
fn parentheses_hold_types_or_expressions() {
    has_nodes("typedef int T; int x = (T)-1;", &["cast", "unary Minus"]);
    has_nodes("int T; int x = (T)-1;", &["binary Sub", "paren", "name T"]);
    has_nodes("int x = sizeof(int) * 2;", &["binary Mul", "sizeof", "type name", "int 2"]);
    has_nodes("int x = sizeof (int){1}.a;", &["sizeof", "member a", "compound literal"]);
    has_nodes("int x = ({ int y = 1; y; });", &["statement expression", "declaration", "expression"]);
}

#[test]
fn typedef_names_follow_scopes() {
    let text = "typedef int T;
        int f(int T) { return T * 2; }
        T g(T a) { { int T = 1; T * a; } T *b; for (int T = 0; T < 3; T++) ; T *c; T: ; enum { T } ; T * a; }
        struct s { T T; };
        void h(T T, int b[sizeof T]);
        T last;";
    let parsed = accepted(text);
    let kinds: Vec<_> = parsed.function(2).body.iter().map(|item| format!("{item:?}")[..11].to_owned()).collect();
    let expected =
        ["Statement(S", "Declaration", "Statement(S", "Declaration", "Statement(S", "Declaration", "Statement(S"];
    assert_eq!(kinds, expected);
    assert!(matches!(parsed.declaration(5).specs.ty, TypeSpec::Typedef(_)));
}

#[test]
fn a_type_seen_makes_a_typedef_name_a_declarator() {
    let parsed = accepted("typedef int T; void f(void) { unsigned T; T = 1; }");
    assert_eq!(statements(parsed.function(1)).len(), 1);
}

#[test]
fn specifiers_come_in_any_order() {
    for (text, basic) in [
        ("long unsigned int long x;", Basic::ULongLong),
        ("char signed x;", Basic::SChar),
        ("int short unsigned x;", Basic::UShort),
        ("double long x;", Basic::LongDouble),
        ("unsigned x;", Basic::UInt),
        ("unsigned __int128 x;", Basic::UInt128),
        ("__uint128_t x;", Basic::UInt128),
        ("_Float64x x;", Basic::LongDouble),
        ("__complex__ double x;", Basic::Complex),
        ("__builtin_va_list x;", Basic::VaList),
        ("__signed__ x;", Basic::Int),
    ] {
        let parsed = accepted(text);
        assert!(matches!(parsed.declaration(0).specs.ty, TypeSpec::Basic(found) if found == basic), "{text}");
    }
    let parsed = accepted("int const typedef volatile T; static _Thread_local int y; x;");
    let specs = &parsed.declaration(0).specs;
    assert_eq!((specs.storage, specs.quals), (Storage::Typedef, Quals::CONST.with(Quals::VOLATILE)));
    assert!(parsed.declaration(1).specs.thread_local);
    assert!(matches!(parsed.declaration(2).specs.ty, TypeSpec::Implicit));
}

#[test]
fn declarators_read_from_the_name_outwards() {
    let parsed = accepted("int *const *(*f[3])(char, ...), a[], (*b)(), c(x, y);");
    let derived: Vec<_> = parsed.declaration(0).declarators.iter().map(|d| &d.declarator.derived).collect();
    assert!(matches!(
        derived[0].as_slice(),
        [
            Derived::Array { size: ArraySize::Expr(_), .. },
            Derived::Pointer { quals: Quals::NONE, .. },
            Derived::Function { variadic: true, .. },
            Derived::Pointer { quals: Quals::NONE, .. },
            Derived::Pointer { quals: Quals::CONST, .. },
        ]
    ));
    assert!(matches!(derived[1].as_slice(), [Derived::Array { size: ArraySize::None, .. }]));
    assert!(matches!(derived[2].as_slice(), [Derived::Pointer { .. }, Derived::KrFunction { .. }]));
    assert!(matches!(derived[3].as_slice(), [Derived::KrFunction { names }] if names.len() == 2));
}

#[test]
fn old_style_definitions_keep_their_declarations() {
    let parsed = accepted("main(argc, argv) int argc; char **argv; { return argc; } int g() { return 0; }");
    assert_eq!(parsed.function(0).kr_declarations.len(), 2);
    assert_eq!(parsed.function(1).kr_declarations.len(), 0);
}

#[test]
fn initialisers_take_all_designators() {
    let text = "struct s x = { .a.b[1] = 2, c: 3, [4] 5, [6 ... 7] = { }, 8, };";
    let parsed = accepted(text);
    let Some(Initializer::List { items, .. }) = &parsed.declaration(0).declarators[0].init else { panic!() };
    let counts: Vec<_> = items.iter().map(|item| item.designators.len()).collect();
    assert_eq!(counts, [3, 1, 1, 1, 0]);
}

#[test]
fn adjacent_strings_are_joined_in_the_widest_encoding() {
    let parsed = accepted("int *s = \"a\" L\"b\" \"\\xff\";");
    let Some(Initializer::Expr(expr)) = &parsed.declaration(0).declarators[0].init else { panic!() };
    let ExprKind::String(literal) = &expr.kind else { panic!() };
    assert_eq!((literal.units.as_slice(), literal.encoding), ([97, 98, 255].as_slice(), Encoding::Wide));
}

#[test]
fn pack_is_that_of_the_closing_brace() {
    let text = "#pragma pack(push, 2)\nstruct a { int x;\n#pragma pack(1)\n};\n#pragma pack(pop)\nstruct b { int x; };";
    let parsed = accepted(text);
    let pack = |index| match &parsed.declaration(index).specs.ty {
        TypeSpec::Record(record) => record.pack,
        _ => panic!(),
    };
    assert_eq!((pack(0), pack(1)), (Some(1), None));
}

#[test]
fn attributes_lose_their_underscores_and_keep_arguments() {
    has_nodes(
        "struct __attribute__((__packed__)) s { int a __attribute__((aligned(8))); } __attribute__((__may_alias__));",
        &["attribute packed", "attribute may_alias", "attribute aligned", "int 8"],
    );
    has_nodes(
        "int x __attribute__((weird(a b, int, 3 + 4)));",
        &["attribute weird", "other", "type name", "binary Add"],
    );
    has_nodes("[[gnu::unused]] int x; int f(void) [[gnu::const]];", &["attribute unused", "attribute const"]);
}

#[test]
fn acsl_assertions_are_statements() {
    let parsed = accepted(
        "void f(int x) { g(); //@ assert x > 0;
            if (x) /*@ assert \\true; */ g();
            h(x /*@ assert lost; */);
            //@ assert \\forall x;
            //@ assert 0 <= x <= 3;
            //@ loop invariant x;
            /*@ assert x == 1; assert x; */
        }",
    );
    let statements = statements(parsed.function(0));
    let asserted: Vec<_> = statements.iter().map(|s| matches!(s.kind, StatementKind::AcslAssert(_))).collect();
    assert_eq!(asserted, [false, true, false, false, true, true]);
    let StatementKind::If { then, .. } = &statements[2].kind else { panic!() };
    assert!(matches!(&then.kind, StatementKind::Block(items, _) if items.len() == 2));
    assert_eq!(parsed.warnings.len(), 3);
}

#[test]
fn labels_may_stand_before_declarations_and_the_end() {
    let parsed = accepted("void f(int x) { switch (x) { case 1: int y = 2; default: } __CPROVER_ASYNC_1: f(1); end: }");
    assert!(matches!(statements(parsed.function(0))[1].kind, StatementKind::Label { .. }));
}

#[test]
fn the_file_scope_takes_everything() {
    let parsed = accepted(";; asm(\"nop\"); _Static_assert(1, \"x\"); __extension__ typedef int T; ; T x;;");
    assert!(matches!(
        parsed.declarations.as_slice(),
        [
            ExternalDecl::Asm(_),
            ExternalDecl::StaticAssert(_),
            ExternalDecl::Declaration(_),
            ExternalDecl::Declaration(_)
        ]
    ));
    assert_eq!(accepted("").declarations.len(), 0);
}

#[test]
fn offsets_through_arrows_are_those_of_the_first_element() {
    has_nodes(
        "int x = __builtin_offsetof(struct s, a->b[2]);",
        &["offsetof", "designator .a", "designator index", "int 0", "designator .b", "designator index", "int 2"],
    );
}

#[test]
fn constructs_of_gnu_c_are_accepted() {
    for text in [
        "void f(int n, int a[n][n], int b[static 3], int d[restrict static 2]); void g(int n; int a[n], int n);",
        "void f(int, int c[const *]);",
        "struct s { int a; union { int b; }; int d : 3, : 0; _Static_assert(1, \"y\"); struct { int e; }; int fl[] };",
        "struct s { int a; _Static_assert(1, \"y\") }; void f(int; );",
        "struct e {}; union u {}; struct e x = {};",
        "_Atomic int a; _Atomic(int *) b; int *_Atomic c; __thread int t;",
        "_Alignas(8) _Alignas(double) char a; int c = _Alignof(int) + __alignof__ a;",
        "int f(int x) { return _Generic(x, int: 1, default: 2, char *: 3); }",
        "__attribute__((unused)) static int a __attribute__((aligned(8))) = 1, __attribute__((unused)) c;",
        "int *__attribute__((unused)) p; int (__attribute__((noinline)) f)(void); int q __attribute__((mode(__DI__)));",
        "void f(int x) { switch (x) { case 1: __attribute__((fallthrough)); default: [[fallthrough]]; } }",
        "int f(void) __asm__(\"g\") __attribute__((unused)); int x asm(\"y\") = 1;",
        "int f(int x) { asm volatile(\"\" : \"=r\"(x) : \"0\"(x), [n] \"m\"(x) : \"memory\", \"cc\"); return x; }",
        "int f(int x) { asm goto(\"\" : : : \"memory\" : l); asm inline(\"\"); __asm __volatile__(\"\" ::\"r\"(x)); l: ; }",
        "void f(int i) { __label__ a; static void *t[] = { &&a, &&b }; goto *t[i]; a: b: return; }",
        "int f(int n) { int g(int x) { return x + n; } auto int h(int); int k(a) int a; { return a; } return g(1); }",
        "typeof(1) a; __typeof__(int *) b; void f(void) { __auto_type w = 3; typeof(({ 1; })) v = w; }",
        "int x = __builtin_types_compatible_p(int, const int) + __builtin_choose_expr(1, 2, \"x\");",
        "int f(__builtin_va_list ap) { return __builtin_va_arg(ap, int) + __func__[0]; }",
        "_Complex double z = 1.0 + 2.0i; double f(void) { return __real__ z + __imag__ z; }",
        "void (*signal(int, void (*)(int)))(int); int (*f(int a))(int) { return 0; } int ((h))(int (x)) { return x; }",
        "int a = sizeof(int (*)(void)) + sizeof(char (*)[4]) + sizeof(int *(*[3])(int (*)(void)));",
        "int f(int c) { switch (c) { case 'a' ... 'z': case 3 ? 4 : 5: return 1; } do c--; while (c); for (;;) break; }",
        "void f(void) { __extension__ int x = __extension__ 3; __extension__ ({ 1; }); { ; } }",
        "struct p { int x; } f(void) { return (struct p){ 1 }; } int *g = (int[]){ 1, 2 };",
        "enum e { A __attribute__((deprecated)), B = 2, } x = B; enum __attribute__((packed)) { C };",
    ] {
        accepted(text);
    }
}
