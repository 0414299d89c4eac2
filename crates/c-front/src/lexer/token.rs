//! The kinds of tokens. Keywords are interned first and in the order of [`KEYWORDS`], so that an identifier is a
//! keyword exactly if its symbol is a small number.

use base::{Interner, Span, Symbol};

/// Sixteen bytes; literals stay in the text and are decoded when the parser reaches them.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
    /// The spelling of an identifier or keyword.
    pub symbol: Symbol,
}

impl Token {
    pub fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

macro_rules! token_kinds {
    (punctuators { $($mark:ident $mark_text:literal,)* } keywords { $($word:ident $first:literal $($more:literal)*,)* }) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum TokenKind {
            Eof,
            Identifier,
            Number,
            Char,
            String,
            $($mark,)*
            $($word,)*
        }

        impl TokenKind {
            /// The usual spelling, or what the token is.
            pub fn text(self) -> &'static str {
                match self {
                    TokenKind::Eof => "end of input",
                    TokenKind::Identifier => "identifier",
                    TokenKind::Number => "numeric constant",
                    TokenKind::Char => "character constant",
                    TokenKind::String => "string constant",
                    $(TokenKind::$mark => $mark_text,)*
                    $(TokenKind::$word => $first,)*
                }
            }
        }

        const KEYWORDS: &[(&str, TokenKind)] =
            &[$(($first, TokenKind::$word), $(($more, TokenKind::$word),)*)*];
    };
}

token_kinds! {
    punctuators {
        LeftParen "(", RightParen ")", LeftBracket "[", RightBracket "]", LeftBrace "{", RightBrace "}",
        Semicolon ";", Comma ",", Colon ":", Question "?", Dot ".", Arrow "->", Ellipsis "...",
        Plus "+", Minus "-", Star "*", Slash "/", Percent "%", PlusPlus "++", MinusMinus "--",
        Amp "&", Pipe "|", Caret "^", Tilde "~", Bang "!", AmpAmp "&&", PipePipe "||",
        Shl "<<", Shr ">>", Lt "<", Gt ">", Le "<=", Ge ">=", EqEq "==", Ne "!=", Eq "=",
        PlusEq "+=", MinusEq "-=", StarEq "*=", SlashEq "/=", PercentEq "%=", ShlEq "<<=", ShrEq ">>=",
        AmpEq "&=", PipeEq "|=", CaretEq "^=",
    }
    keywords {
        Auto "auto",
        Break "break",
        Case "case",
        Char_ "char",
        Const "const" "__const" "__const__",
        Continue "continue",
        Default "default",
        Do "do",
        Double "double",
        Else "else",
        Enum "enum",
        Extern "extern",
        Float "float",
        For "for",
        Goto "goto",
        If "if",
        Inline "inline" "__inline" "__inline__",
        Int "int",
        Long "long",
        Register "register",
        Restrict "restrict" "__restrict" "__restrict__",
        Return "return",
        Short "short",
        Signed "signed" "__signed" "__signed__",
        Sizeof "sizeof",
        Static "static",
        Struct "struct",
        Switch "switch",
        Typedef "typedef",
        Union "union",
        Unsigned "unsigned",
        Void "void",
        Volatile "volatile" "__volatile" "__volatile__",
        While "while",
        Alignas "_Alignas",
        Alignof "_Alignof",
        PreferredAlignof "__alignof__" "__alignof",
        Atomic "_Atomic",
        Bool "_Bool",
        Complex "_Complex" "__complex" "__complex__",
        Generic "_Generic",
        Noreturn "_Noreturn",
        StaticAssert "_Static_assert",
        ThreadLocal "_Thread_local" "__thread" "__CPROVER_thread_local",
        Asm "asm" "__asm" "__asm__",
        Attribute "__attribute__" "__attribute",
        Extension "__extension__",
        Typeof "typeof" "__typeof" "__typeof__",
        AutoType "__auto_type",
        Label "__label__",
        Real "__real__" "__real",
        Imag "__imag__" "__imag",
        Int128 "__int128",
        Int128T "__int128_t",
        UInt128T "__uint128_t",
        Float32 "_Float32",
        Float64 "_Float64" "_Float32x",
        Float80 "__float80" "_Float64x",
        Float128 "_Float128" "__float128",
        UnsupportedType "_Float16" "__bf16" "_Decimal32" "_Decimal64" "_Decimal128",
        VaList "__builtin_va_list",
        VaArg "__builtin_va_arg",
        Offsetof "__builtin_offsetof",
        TypesCompatible "__builtin_types_compatible_p",
        ChooseExpr "__builtin_choose_expr",
        UnsupportedBuiltin "__builtin_convertvector" "__builtin_has_attribute",
        Pragma "_Pragma",
    }
}

/// Interns the keywords if `names` is new.
///
/// # Panics
/// If `names` held other names before the keywords.
pub(super) fn reserve_keywords(names: &mut Interner) {
    if names.is_empty() {
        for (text, _) in KEYWORDS {
            names.intern(text);
        }
    }
    assert_eq!(names.lookup(KEYWORDS[0].0), Some(Symbol(0)), "keywords must be interned before other names");
}

pub(super) fn kind_of(symbol: Symbol) -> TokenKind {
    KEYWORDS.get(symbol.0 as usize).map_or(TokenKind::Identifier, |&(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_a_keyword_have_its_kind() {
        let mut names = Interner::new();
        reserve_keywords(&mut names);
        assert_eq!(names.len(), KEYWORDS.len(), "no spelling occurs twice");
        for spelling in ["volatile", "__volatile", "__volatile__"] {
            assert_eq!(kind_of(names.intern(spelling)), TokenKind::Volatile);
        }
        assert_eq!(kind_of(names.intern("x")), TokenKind::Identifier);
        assert_eq!(size_of::<Token>(), 16);
    }
}
