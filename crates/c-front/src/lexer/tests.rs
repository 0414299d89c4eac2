use super::literal::{Number, character, encoding, number, string_units};
use super::*;
use crate::ast::{Encoding, FloatSuffix, IntSuffix};

fn kinds(text: &str) -> Vec<TokenKind> {
    let lexed = lex(text, 1, &mut Interner::new());
    assert_eq!(lexed.error, None, "{text}");
    let kinds = lexed.tokens.iter().map(|token| token.kind);
    kinds.take_while(|kind| *kind != TokenKind::Eof).collect()
}

fn error(text: &str) -> Diagnostic {
    *lex(text, 1, &mut Interner::new()).error.unwrap()
}

fn int(value: u128, unsigned: bool, longs: u8, decimal: bool) -> Number {
    Number::Int { value, suffix: IntSuffix { unsigned, longs }, decimal }
}

#[test]
fn punctuators_are_as_long_as_possible() {
    use TokenKind::*;
    assert_eq!(kinds("a+++b"), [Identifier, PlusPlus, Plus, Identifier]);
    assert_eq!(kinds("<<= << <= <"), [ShlEq, Shl, Le, Lt]);
    assert_eq!(kinds("... .. ."), [Ellipsis, Dot, Dot, Dot]);
    assert_eq!(kinds("a->b-- - >"), [Identifier, Arrow, Identifier, MinusMinus, Minus, Gt]);
    assert_eq!(kinds("a<:1:> = <% %>;"), kinds("a[1] = { };"));
}

#[test]
fn comments_and_splices_separate_or_join() {
    use TokenKind::*;
    assert_eq!(kinds("a/*x*/b//y\\\nz\nc"), [Identifier, Identifier, Identifier]);
    assert_eq!(kinds("re\\\nturn +\\\n+ /\\\n/ gone"), [Return, PlusPlus]);
    assert_eq!(kinds("/*/ */ 1 /***/"), [Number]);
    assert_eq!(kinds("'\\'' \"\\\"/*\" x"), [Char, String, Identifier]);
}

#[test]
fn identifiers_may_be_unusual() {
    let mut names = Interner::new();
    let lexed = lex("$a é\\u00e9 L u8 ma\\\nin", 1, &mut names);
    let words: Vec<_> = lexed.tokens[..5].iter().map(|token| names.resolve(token.symbol)).collect();
    assert_eq!(words, ["$a", "éé", "L", "u8", "main"]);
}

#[test]
fn line_markers_lead_to_files() {
    let text =
        "int a;\n# 10 \"x.c\"\nint b;\n# 3 \"/usr/y.h\" 1 3 4\nint c;\n#line 7\nint d;\n#pragma omp\n#ident \"z\"\n";
    let (mut names, mut sources) = (Interner::new(), SourceMap::new());
    let start = sources.add("main.i", text.to_owned()).unwrap();
    let lexed = lex(sources.text(start), start, &mut names);
    assert_eq!(lexed.tokens.len(), 12 + EOF_TOKENS);
    lexed.record_markers(&mut sources, start, "main.i");
    let place = |index: usize| {
        let place = sources.place(lexed.tokens[index].span()).unwrap();
        (place.file, place.line, place.system)
    };
    assert_eq!(place(0), ("main.i", 1, false));
    assert_eq!(place(3), ("x.c", 10, false));
    assert_eq!(place(6), ("/usr/y.h", 3, true));
    assert_eq!(place(9), ("/usr/y.h", 7, true));
}

#[test]
fn pack_is_a_stack() {
    let text = "a\n#pragma pack(push, 1)\nb\n#pragma pack(2)\nc\n#pragma pack(pop)\nd _Pragma(\"pack(4)\") e\n#pragma pack()\nf";
    let lexed = lex(text, 1, &mut Interner::new());
    let packs: Vec<_> = lexed.packs.iter().map(|pack| (pack.from, pack.value)).collect();
    assert_eq!(packs, [(1, Some(1)), (2, Some(2)), (3, None), (4, Some(4)), (5, None)]);
}

#[test]
fn only_assertions_are_kept_of_acsl() {
    let text = "f(); //@ assert x > 0;\n/*@ requires y; */ /*@ assert z; @*/ //@ assertion\n// @ assert no;\ng();";
    let lexed = lex(text, 1, &mut Interner::new());
    let found: Vec<_> = lexed.acsl.iter().map(|comment| (comment.before, comment.tokens.len() - EOF_TOKENS)).collect();
    assert_eq!(found, [(4, 5), (4, 3)]);
}

#[test]
fn errors_point_at_where_things_open() {
    assert_eq!((error("int x; /* abc\n").span, error("int x; /* abc\n").help.is_some()), (Span::new(8, 10), true));
    assert_eq!(error("x = \"abc;\ny").span.start, 5);
    assert_eq!(error("'").span.start, 1);
    assert!(error("int @;").message.contains("‘@’"));
    assert!(error("int \u{10ffe9};").message.contains("0xe9"));
    assert!(error("#include <x.h>\n").message.contains("#include"));
}

#[test]
fn integers_have_value_and_suffix() {
    assert_eq!(number("0"), Ok(int(0, false, 0, false)));
    assert_eq!(number("42uLL"), Ok(int(42, true, 2, true)));
    assert_eq!(number("42lu"), Ok(int(42, true, 1, true)));
    assert_eq!(number("0xFFl"), Ok(int(255, false, 1, false)));
    assert_eq!(number("0b101"), Ok(int(5, false, 0, false)));
    assert_eq!(number("0777"), Ok(int(511, false, 0, false)));
    assert_eq!(number("18446744073709551616"), Ok(int(1 << 64, false, 0, true)));
    for wrong in ["08", "0b12", "0x", "1lL", "1uu", "1x", "0b"] {
        assert!(number(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn floats_keep_their_text() {
    let float = |digits: &str, suffix| Ok(Number::Float { digits: digits.to_owned(), suffix });
    assert_eq!(number("1."), float("1.", FloatSuffix::None));
    assert_eq!(number(".5e-3f"), float(".5e-3", FloatSuffix::F));
    assert_eq!(number("0x1.8p+3L"), float("0x1.8p+3", FloatSuffix::L));
    assert_eq!(number("1e5Q"), float("1e5", FloatSuffix::Q));
    assert_eq!(number("08.5"), float("08.5", FloatSuffix::None));
    assert_eq!(number("2.0if"), float("2.0", FloatSuffix::Imaginary));
    assert_eq!(number("3i"), float("3", FloatSuffix::Imaginary));
    for wrong in ["1e", "0x1.8", "1.5x", "0x.p1"] {
        assert!(number(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn characters_are_as_gcc_has_them() {
    let plain = |text: &str| character(text).unwrap().0 as i32;
    assert_eq!(plain("'a'"), 97);
    assert_eq!((plain("'\\xff'"), plain("'\\377'"), plain("'\u{10ffe9}'")), (-1, -1, -23));
    assert_eq!((plain("'ab'"), plain("'\\0\\xff'"), plain("'é'")), (0x6162, 0xff, 0xc3a9));
    assert_eq!((plain("'\\n'"), plain("'\\e'"), plain("'\\''"), plain("'\\?'")), (10, 27, 39, 63));
    assert_eq!(character("L'é'"), Ok((0xe9, Encoding::Wide)));
    assert_eq!(character("u'\\u20ac'"), Ok((0x20ac, Encoding::Utf16)));
    assert!(character("''").is_err());
    assert!(character("'\\xg'").is_err());
}

#[test]
fn strings_become_code_units() {
    let units = |text: &str| {
        let mut units = Vec::new();
        string_units(text, encoding(text), &mut units).unwrap();
        units
    };
    assert_eq!(units("\"a\\x41\\1018\""), [97, 0x41, 0o101, 56]);
    assert_eq!(units("\"é\u{10ffe9}\""), [0xc3, 0xa9, 0xe9]);
    assert_eq!(units("u\"\\U0001F600\""), [0xd83d, 0xde00]);
    assert_eq!(units("L\"\\xffffffff€\""), [0xffff_ffff, 0x20ac]);
    assert_eq!(units("\"a\\\nb\\\\\""), [97, 98, 92]);
    assert_eq!(units("u8R\"x(a\\n)\")x\""), [97, 92, 110, 41, 34]);
}
