//! What the analysis makes of small programs, and what it refuses.

use base::{Interner, SourceMap};

use crate::preprocess::Loaded;
use crate::typed::{Constant, InitValue, RemarkKind, Statement, StatementKind, Unit};
use crate::typed_check::check_unit;
use crate::typed_print::{print_function, print_unit};
use crate::types::DataModel;

fn analyze_files(texts: &[&str], model: DataModel) -> Result<(Unit, Interner), String> {
    let mut sources = SourceMap::new();
    let mut names = Interner::new();
    let files = texts.iter().enumerate();
    let files = files.map(|(index, text)| Loaded { text: (*text).to_owned(), name: format!("{index}.c") }).collect();
    match crate::analyze(files, model, &mut sources, &mut names) {
        Ok((unit, _)) => {
            assert_eq!(check_unit(&unit), [], "the typed tree keeps its invariants");
            Ok((unit, names))
        }
        Err(errors) => Err(errors.last().expect("a failure has a reason").message.clone()),
    }
}

fn accept(text: &str) -> (Unit, Interner) {
    analyze_files(&[text], DataModel::Lp64).unwrap_or_else(|message| panic!("{message}: {text}"))
}

fn refuse(text: &str) -> String {
    match analyze_files(&[text], DataModel::Lp64) {
        Ok(_) => panic!("accepted: {text}"),
        Err(message) => message,
    }
}

/// The statements of the function `f`, without the lines about locals.
fn body(text: &str) -> String {
    let (unit, names) = accept(text);
    let (id, _) = unit
        .functions
        .iter_enumerated()
        .find(|(_, function)| names.resolve(function.name) == "f" && function.body.is_some())
        .expect("the program defines f");
    let text = print_function(&unit, &names, id);
    let lines = text.lines().skip(1).filter(|line| !line.starts_with("  local") && !line.starts_with("  parameter"));
    lines.map(|line| line.strip_prefix("  ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn operands_are_converted_to_a_common_type() {
    let expected = "\
return
  add : unsigned long
    cast : unsigned long
      load : int
        local v0 'a' : int
    load : unsigned long
      local v1 'b' : unsigned long";
    assert_eq!(body("unsigned long f(int a, unsigned long b) { return a + b; }"), expected);
}

#[test]
fn narrow_operands_and_bit_fields_are_promoted() {
    let text =
        body("struct { unsigned x : 3; unsigned long long y : 40; } s; long f(char c) { return (s.x - c) + s.y; }");
    assert!(text.contains("sub : int\n"), "{text}");
    assert!(text.contains("add : unsigned long long\n"), "{text}");
}

#[test]
fn indexing_an_array_does_not_take_its_address() {
    let (unit, names) = accept("int a[3], b[3], c; int *p = b; int f(int i) { int x[2]; x[i] = c; return a[i] + *p; }");
    let taken = |name: &str| {
        let object = unit.objects.iter().find(|object| names.resolve(object.name) == name);
        object.expect("declared above").address_taken
    };
    assert_eq!([taken("a"), taken("b"), taken("c")], [false, true, false]);
    assert!(unit.functions.iter().flat_map(|function| function.locals.iter()).all(|local| !local.address_taken));
}

#[test]
fn sizeof_does_not_take_addresses() {
    let (unit, _) = accept("int x; unsigned long f(void) { typeof(&x) p; return sizeof(&x) + sizeof p; }");
    assert!(unit.objects.iter().all(|object| !object.address_taken));
}

#[test]
fn old_style_parameters_arrive_promoted() {
    let expected = "\
declare v0 'c'
  at 0: char
    cast : char
      load : int
        local v2 : int
return
  add : int
    cast : int
      load : char
        local v0 'c' : char
    load : int
      local v1 'i' : int";
    assert_eq!(body("int f(c, i) char c; { return c + i; }"), expected);
}

#[test]
fn variable_lengths_are_fixed_where_control_passes() {
    let expected = "\
length vla0
  cast : unsigned long
    load : int
      local v0 'n' : int
fix length vla0
declare v1 'a'
return
  cast : int
    size 4 * vla0 : unsigned long";
    assert_eq!(body("int f(int n) { int a[n]; return sizeof a; }"), expected);
}

#[test]
fn parameters_may_have_variable_lengths() {
    let text = body("int f(int n, int a[n][n]) { return a[1][2]; }");
    assert!(text.contains("fix length vla0\n"), "{text}");
    assert!(text.contains("offset +4 * vla0 : int (*)[vla0]"), "{text}");
}

#[test]
fn atomic_functions_become_primitives() {
    let text =
        body("void f(int *p, int e) { __atomic_compare_exchange_n(p, &e, 3, 1, 5, 5); __sync_fetch_and_add(p, 1); }");
    assert!(text.contains("atomic weak compare-exchange : _Bool"), "{text}");
    assert!(text.contains("atomic add, value before : int"), "{text}");
    let text = body("_Atomic long x; long f(void) { atomic_store(&x, 1); return atomic_fetch_or_explicit(&x, 2, 0); }");
    assert!(text.contains("atomic store : void"), "{text}");
    assert!(text.contains("atomic or, value before : long"), "{text}");
}

#[test]
fn a_defined_function_hides_the_builtin_of_its_name() {
    let text = body("int atomic_load(int *p) { return *p; } int f(int *p) { return atomic_load(p); }");
    assert!(text.contains("call atomic_load"), "{text}");
}

#[test]
fn undeclared_library_functions_have_their_real_types() {
    let (unit, names) = accept("int f(void) { char *p = malloc(3); return strlen(p) + unknown(1.0f); }");
    let text = print_unit(&unit, &names);
    assert!(text.contains(": void *malloc(unsigned long), no body"), "{text}");
    assert!(text.contains(": unsigned long strlen(const char *), no body"), "{text}");
    assert!(text.contains(": int unknown(), no body"), "{text}");
    let implicit = |remark: &&crate::typed::Remark| matches!(remark.kind, RemarkKind::ImplicitDeclaration(_));
    assert_eq!(unit.remarks.iter().filter(implicit).count(), 3);
}

#[test]
fn a_call_that_disagrees_with_the_library_is_still_a_call() {
    accept("int f(void) { return pthread_create(1); }");
}

#[test]
fn builtins_of_the_library_are_calls() {
    let text = body("void f(char *p) { __builtin_memcpy(p, \"a\", 2); __builtin___strcpy_chk(p, \"b\", 5); }");
    assert!(text.contains("call memcpy : void *"), "{text}");
    assert!(text.contains("call strcpy : char *"), "{text}");
    assert!(!text.contains("constant 5"), "{text}");
}

#[test]
fn files_share_what_has_external_linkage() {
    let first =
        "static int hidden = 1; int shared; extern int array[]; int f(void) { return hidden + shared + array[1]; }";
    let second =
        "static int hidden = 2; int shared = 5; int array[7]; extern int f(void); int g(void) { return f() + hidden; }";
    let (unit, names) = analyze_files(&[first, second], DataModel::Lp64).unwrap();
    let objects: Vec<_> = unit.objects.iter().map(|object| names.resolve(object.name)).collect();
    assert_eq!(objects, ["hidden", "shared", "array", "hidden.2"]);
    assert_eq!(unit.functions.len(), 2);
    assert!(unit.objects.iter().all(|object| object.defined));
    assert_eq!(unit.types.size_of(unit.objects.raw()[2].ty.ty), Some(28));
}

#[test]
fn files_must_not_define_a_name_twice() {
    let twice = analyze_files(&["int x = 1;", "int x = 2;"], DataModel::Lp64).err();
    assert_eq!(twice.as_deref(), Some("redefinition of ‘x’"));
    let twice = analyze_files(&["int f(void) { return 1; }", "int f(void) { return 1; }"], DataModel::Lp64).err();
    assert_eq!(twice.as_deref(), Some("redefinition of ‘f’"));
    let inline = "inline int f(void) { return 1; }";
    assert!(analyze_files(&[inline, inline], DataModel::Lp64).is_ok());
}

#[test]
fn static_names_of_files_stay_apart() {
    let file = "static int f(void) { static int n; return n++; } int use_SUFFIX(void) { return f(); }";
    let (first, second) = (file.replace("SUFFIX", "a"), file.replace("SUFFIX", "b"));
    let (unit, names) = analyze_files(&[&first, &second], DataModel::Lp64).unwrap();
    let functions: Vec<_> = unit.functions.iter().map(|function| names.resolve(function.name)).collect();
    assert_eq!(functions, ["f", "use_a", "f.2", "use_b"]);
    let objects: Vec<_> = unit.objects.iter().map(|object| names.resolve(object.name)).collect();
    assert_eq!(objects, ["f.n", "f.2.n"]);
}

#[test]
fn both_va_list_forms_give_the_address_of_the_list() {
    let text = "typedef __builtin_va_list va_list; int g(va_list p) { return __builtin_va_arg(p, int); }
        int f(int n, ...) { va_list l; __builtin_va_start(l, n); int x = __builtin_va_arg(l, int); g(l); return x; }";
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let (unit, names) = analyze_files(&[text], model).unwrap();
        let text = print_unit(&unit, &names);
        let pointer = match model {
            DataModel::Lp64 => "struct __va_list_tag *",
            DataModel::Ilp32 => "char **",
        };
        assert!(text.contains(&format!("next argument : int\n        address of : {pointer}\n")), "{text}");
    }
}

#[test]
fn deep_expressions_and_statements_fit_the_stack() {
    let run = || {
        let sum = "1 + ".repeat(9000) + "1";
        let parens = "(".repeat(4000) + "x" + &")".repeat(4000);
        let blocks = "{".repeat(4000) + ";" + &"}".repeat(4000);
        accept(&format!("int x = {sum}; int f(int x) {{ {blocks} return {parens} + {}; }}", "-x"));
    };
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(run).expect("a thread starts");
    thread.join().expect("nothing overflows");
}

#[test]
fn what_is_not_supported_is_named() {
    assert!(refuse("_Complex double z;").contains("‘_Complex’"));
    assert!(refuse("typedef int v __attribute__((vector_size(16)));").contains("vector_size"));
    assert!(refuse("int f(void) { int g(void) { return 1; } return g(); }").contains("nested function"));
    assert!(refuse("int f(void) { __builtin_apply_args(); }").contains("__builtin_apply_args"));
}

/// Program and what its message must contain. GCC refuses each of them too.
const REFUSED: &[(&str, &str)] = &[
    ("int f(void) { return x; }", "‘x’ is not declared"),
    ("int f(void) { int a; a(); }", "not a function"),
    ("int f(void) { 3 = 4; }", "lvalue"),
    ("int f(void) { const int a = 1; a = 2; }", "read-only"),
    ("struct s; int f(void) { return sizeof(struct s); }", "incomplete type"),
    ("struct s; struct s x;", "never completed"),
    ("int f(void) { struct s *p; return p->x; }", "incomplete"),
    ("struct s { int a; }; int f(struct s *p) { return p->b; }", "no member ‘b’"),
    ("struct s { int a; char a; };", "duplicate member ‘a’"),
    ("int f(int x) { switch (x) { case 1: case 1: ; } }", "duplicate case value 1"),
    ("void f(int x) { switch (x) { case 1 ... 5: case 3: ; } }", "duplicate case value"),
    ("void f(int x) { switch (x) { case x: ; } }", "integer constant"),
    ("int f(void) { l: ; l: ; }", "duplicate label ‘l’"),
    ("int f(void) { goto l; }", "label ‘l’ is used but not defined"),
    ("int x = 1; int x = 2;", "redefinition of ‘x’"),
    ("int x; float x;", "conflicting types for ‘x’"),
    ("int f(int); int f(char *);", "conflicting types for ‘f’"),
    ("int f(int a); int g(void) { return f(); }", "too few arguments"),
    ("int f(int a); int g(void) { return f(1, 2); }", "too many arguments"),
    ("int n; int a[n];", "not constant"),
    ("int f(void); int a = f();", "not constant"),
    ("int f(void) { break; }", "‘break’ outside"),
    ("int f(void) { continue; }", "‘continue’ outside"),
    ("int f(void) { case 1: ; }", "outside of a switch"),
    ("int f(void) { struct { int x; } s; if (s); }", "scalar"),
    ("int f(int *p, int *q) { return p + q; }", "do not fit"),
    ("int f(double d) { return d % 2; }", "do not fit"),
    ("int f(int x) { return *x; }", "not a pointer"),
    ("int a[-1];", "-1"),
    ("struct s { int x : 33; };", "exceeds"),
    ("struct s { int x : 3; }; int *f(struct s *p) { return &p->x; }", "bit-field"),
    ("enum e { A, A };", "‘A’"),
    ("int a[2] = { [5] = 1 };", "outside of the array"),
    ("int a[3] = 5;", "braces"),
    ("int f(void) { int a[3], b[3]; a = b; }", "array"),
    ("_Static_assert(0, \"no\");", "static assertion failed: \"no\""),
    ("static int s; int s;", "follows a static"),
    ("int f(void) { int x; int x; }", "redeclaration of ‘x’"),
    ("struct a { int x; }; struct b { int x; }; void f(struct a a, struct b b) { a = b; }", "incompatible types"),
    ("int f(void) { return _Generic(1, char: 1, long: 2); }", "_Generic"),
    ("void f(void) { int x = f(); }", "‘void’ is used"),
    ("int f(void) { int n = 3; int a[n] = {1}; }", "variable length"),
    ("int a[99999999999999999999999999999999999999999];", "too large"),
    ("int a[0xffffffffffffffffffffffffffffffff];", "too large"),
    ("int *f(void) { register int x; return &x; }", "register variable ‘x’"),
    ("int *f(register struct { int a; } x) { return &x.a; }", "register variable ‘x’"),
    ("int *f(x) register int x; { return &x; }", "register variable ‘x’"),
    ("_Thread_local int f(void) { return 1; }", "thread-local"),
    ("static _Thread_local int f(void);", "thread-local"),
    ("void f(int n) { goto l; int a[n]; l: ; }", "this goto jumps into the scope"),
    ("void f(int n) { goto l; typedef int a[n]; l: ; }", "this goto jumps into the scope"),
    ("void f(int n) { { int a[n]; l: ; } { int a[n]; goto l; } }", "this goto jumps into the scope"),
    ("void f(int n) { goto l; for (int (*a)[n];;) { l: ; } }", "this goto jumps into the scope"),
    ("void f(int n) { switch (n) { case 1: ; int a[n]; default: ; } }", "this switch jumps into the scope"),
    ("int f(void) { return __builtin_va_arg(1, int); }", "not a ‘va_list’"),
    ("int f(__builtin_va_list *p) { return __builtin_va_arg(p, int); }", "not a ‘va_list’"),
    ("void f(struct s { int a; } x) { struct s { int a; } y; }", "redefinition of ‘struct s’"),
    ("void f(int n) { int a; __label__ l; l: ; }", "‘__label__’"),
];

/// GCC accepts each of them too, though they look much like some of those above.
const ACCEPTED: &[&str] = &[
    "void f(void) { register int a[3], *p; register struct { int b[3]; } s; a[1] = sizeof a; s.b[1] = 2; p = &*p; }",
    "int *f(register int *x) { { int x; return &x; } return &x[1]; }",
    "void f(int n) { l: ; int a[n]; goto l; }",
    "void f(int n) { goto l; { int a[n]; } l: ; }",
    "void f(int n) { int a[n]; goto l; { l: ; } }",
    "void f(int n, int a[n][n]) { goto l; sizeof(int[n]); l: ; goto *&&m; int b[n]; m: ; }",
    "void f(int n) { int b[n]; switch (n) { case 1: { int a[n]; break; } default: ; } }",
    "void f(const __builtin_va_list v) { __builtin_va_arg(v, int); }",
    "struct w { __builtin_va_list a; }; void f(struct w *v) { __builtin_va_arg(v->a, int); }",
    "void f(__builtin_va_list *v) { __builtin_va_arg(*v, int); }",
    "void f(struct s { int a; } x, enum { A, B } b) { struct s y = x; b = B; } struct s { char c; };",
    "int f(a) struct s { int b; } a; { struct s c = a; return c.b; }",
    "void f(void) { __label__ l; __label__ m; ({ __label__ l; l: 1; }); l: m: ; }",
];

#[test]
fn what_gcc_accepts_is_accepted() {
    for text in ACCEPTED {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            analyze_files(&[text], model).unwrap_or_else(|message| panic!("{message}: {text}"));
        }
    }
}

#[test]
fn both_alignments_of_a_type_are_known() {
    let text = "struct s { double d; } s; double v;
        _Static_assert(_Alignof(double) == 4 && __alignof__(double) == 8 && __alignof(long long) == 8, \"\");
        _Static_assert(__alignof__(struct s) == 4 && __alignof__ s.d == 4 && _Alignof v == 8, \"\");";
    analyze_files(&[text], DataModel::Ilp32).unwrap();
}

/// The only initialiser's number of the object `w`, and the constant that `f` returns.
fn definitions(texts: &[&str]) -> (Option<u128>, String) {
    let (unit, names) = analyze_files(texts, DataModel::Lp64).unwrap_or_else(|message| panic!("{message}: {texts:?}"));
    let object = unit.objects.iter().find(|object| names.resolve(object.name) == "w").expect("declared");
    let value = object.init.as_ref().and_then(|init| match init.parts.first()?.value {
        InitValue::Value(Constant::Int(number)) => Some(number),
        _ => None,
    });
    let function = unit.functions.iter_enumerated().find(|(_, function)| names.resolve(function.name) == "f");
    let text = function.map(|(id, _)| print_function(&unit, &names, id)).unwrap_or_default();
    (value, text.lines().last().unwrap_or_default().trim().to_owned())
}

#[test]
fn a_strong_definition_replaces_a_weak_one() {
    let weak = "int w __attribute__((weak)) = 1; __attribute__((weak)) int f(void) { return 1; }";
    let weak_before =
        "extern int w __attribute__((weak)); int w = 1; int f(void) __attribute__((weak)); int f(void) { return 1; }";
    let strong = "int w = 2; int f(void) { return 2; }";
    let expected = (Some(2), "constant 2 : int".to_owned());
    for weak in [weak, weak_before] {
        assert_eq!(definitions(&[weak, strong]), expected);
        assert_eq!(definitions(&[strong, weak]), expected);
        assert_eq!(definitions(&[weak, strong, weak]), expected);
    }
    assert_eq!(definitions(&[weak, weak]).0, Some(1));
    assert_eq!(definitions(&[weak, "int w;"]).0, None, "the strong definition is zero");
    assert_eq!(definitions(&[weak, "extern int w; int f(void);"]).0, Some(1));
    assert!(analyze_files(&[strong, strong], DataModel::Lp64).is_err());
    assert!(refuse("int w __attribute__((weak)) = 1; int w = 2;").contains("redefinition"));
}

#[test]
fn an_alias_leads_to_its_target() {
    let text = "static int u = 3; extern int v __attribute__((alias(\"u\"))); int f(void) { return v; }";
    let text = body(text);
    assert!(text.contains("object u : int"), "{text}");
    let alias = "static int target(int x) { return x; } int f(int) __attribute__((alias(\"target\")));";
    let (unit, names) = analyze_files(&["int f(int); int g(void) { return f(1); }", alias], DataModel::Lp64).unwrap();
    let text = print_unit(&unit, &names);
    assert!(text.contains("call target : int"), "{text}");
    assert!(unit.remarks.is_empty(), "{:?}", unit.remarks);
    let weak = "static int t(void) { return 1; } int f(void) __attribute__((weak, alias(\"t\"))); int w;";
    let strong = "int f(void) { return 2; }";
    assert_eq!(definitions(&[weak, strong]).1, "constant 2 : int");
    assert_eq!(definitions(&[strong, weak]).1, "constant 2 : int");
    let (unit, _) = accept("extern int v __attribute__((alias(\"u\"))); int u;");
    assert_eq!(unit.remarks.len(), 1);
}

#[test]
fn an_input_of_assembly_may_be_tied_to_an_output() {
    let text = "void f(int x, int y) { asm(\"\" : \"=r\"(x), [o] \"=r\"(y) : \"1\"(x), \"r\"(y), \"[o]\"(x), \"0,0\"(x), \"0,r\"(x), \"7\"(x)); }";
    let (unit, _) = accept(text);
    let Some([Statement { kind: StatementKind::Asm(asm), .. }]) = unit.functions.raw()[0].body.as_deref() else {
        panic!("the body is one assembly statement");
    };
    assert_eq!(asm.ties, [Some(1), None, Some(1), Some(0), None, None]);
}

#[test]
fn errors_are_told_in_one_clear_message() {
    for (text, expected) in REFUSED {
        let message = refuse(text);
        assert!(message.contains(expected), "{text}\n  says {message:?}, not {expected:?}");
    }
}
