//! Declaration specifiers: storage, qualifiers and the words of a type in any order.

use base::Span;

use crate::ast::{AlignAs, Basic, DeclSpecs, Quals, Storage, TypeSpec};
use crate::lexer::TokenKind;

use super::{Parse, Parser};

/// The words of an arithmetic type, counted.
#[derive(Default)]
struct Words {
    signed: bool,
    unsigned: bool,
    short: bool,
    longs: u8,
    complex: bool,
    base: Option<Basic>,
}

impl Words {
    fn any(&self) -> bool {
        self.signed || self.unsigned || self.short || self.longs > 0 || self.complex || self.base.is_some()
    }

    /// False if the word contradicts those before it.
    fn add(&mut self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Signed => self.signed = true,
            TokenKind::Unsigned => self.unsigned = true,
            TokenKind::Short => self.short = true,
            TokenKind::Long => self.longs += 1,
            TokenKind::Complex => self.complex = true,
            _ => {
                let known = self.base.replace(basic(kind));
                return known.is_none();
            }
        }
        self.longs <= 2
    }

    /// The type they make together.
    fn basic(&self) -> Option<Basic> {
        let sign = |signed, unsigned| if self.unsigned { unsigned } else { signed };
        if self.signed && self.unsigned || self.short && self.longs > 0 {
            return None;
        }
        let sized = self.short || self.longs > 0;
        let signs = self.signed || self.unsigned;
        let result = match self.base {
            None | Some(Basic::Int) => match (self.short, self.longs) {
                (true, _) => sign(Basic::Short, Basic::UShort),
                (_, 0) => sign(Basic::Int, Basic::UInt),
                (_, 1) => sign(Basic::Long, Basic::ULong),
                _ => sign(Basic::LongLong, Basic::ULongLong),
            },
            Some(Basic::Char) if !sized => match (self.signed, self.unsigned) {
                (true, _) => Basic::SChar,
                (_, true) => Basic::UChar,
                _ => Basic::Char,
            },
            Some(Basic::Int128) if !sized => sign(Basic::Int128, Basic::UInt128),
            Some(Basic::Double) if !signs && !self.short && self.longs == 1 => Basic::LongDouble,
            Some(other) if !signs && !sized => other,
            Some(_) => return None,
        };
        Some(if self.complex { Basic::Complex } else { result })
    }
}

fn basic(kind: TokenKind) -> Basic {
    match kind {
        TokenKind::Void => Basic::Void,
        TokenKind::Bool => Basic::Bool,
        TokenKind::Char_ => Basic::Char,
        TokenKind::Int128 | TokenKind::Int128T => Basic::Int128,
        TokenKind::UInt128T => Basic::UInt128,
        TokenKind::Float | TokenKind::Float32 => Basic::Float,
        TokenKind::Double | TokenKind::Float64 => Basic::Double,
        TokenKind::Float80 => Basic::LongDouble,
        TokenKind::Float128 => Basic::Float128,
        TokenKind::VaList => Basic::VaList,
        _ => Basic::Int,
    }
}

fn qualifier(kind: TokenKind) -> Quals {
    match kind {
        TokenKind::Const => Quals::CONST,
        TokenKind::Volatile => Quals::VOLATILE,
        TokenKind::Restrict => Quals::RESTRICT,
        TokenKind::Atomic => Quals::ATOMIC,
        _ => Quals::NONE,
    }
}

impl Parser<'_> {
    /// Whether the token `ahead` places on begins a type name.
    #[inline]
    pub(super) fn starts_type_name(&self, ahead: usize) -> bool {
        use TokenKind::*;
        let token = &self.lexed.tokens[self.position + ahead];
        match token.kind {
            Identifier => self.scopes.is_typedef(token.symbol),
            Void | Bool | Char_ | Short | Int | Long | Float | Double | Signed | Unsigned | Complex | Int128
            | Int128T | UInt128T | Float32 | Float64 | Float80 | Float128 | UnsupportedType | VaList | Struct
            | Union | Enum | Typeof | AutoType | Const | Volatile | Restrict | Atomic | Attribute | Alignas => true,
            _ => false,
        }
    }

    /// Whether the token `ahead` places on begins a declaration (attributes apart).
    #[inline]
    pub(super) fn starts_declaration(&self, ahead: usize) -> bool {
        use TokenKind::*;
        match self.peek(ahead) {
            Attribute => false,
            Typedef | Extern | Static | Auto | Register | Inline | Noreturn | ThreadLocal => true,
            _ => self.starts_type_name(ahead),
        }
    }

    pub(super) fn specifiers(&mut self, specs: &mut DeclSpecs) -> Parse<()> {
        let first = self.span();
        let mut words = Words::default();
        while self.specifier(specs, &mut words)? {}
        if words.any() {
            if !matches!(specs.ty, TypeSpec::Implicit) {
                return Err(self.two_types());
            }
            let Some(basic) = words.basic() else { return Err(self.contradiction(first)) };
            specs.ty = TypeSpec::Basic(basic);
        }
        specs.span = if self.span() == first { Span::new(first.start, first.start) } else { self.since(first) };
        Ok(())
    }

    /// Takes one specifier if there is one.
    #[inline]
    fn specifier(&mut self, specs: &mut DeclSpecs, words: &mut Words) -> Parse<bool> {
        use TokenKind::*;
        match self.kind() {
            Identifier => {
                if words.any() || !matches!(specs.ty, TypeSpec::Implicit) || !self.is_typedef_name(self.token()) {
                    return Ok(false);
                }
                specs.ty = TypeSpec::Typedef(self.bump().symbol);
            }
            Void | Bool | Char_ | Short | Int | Long | Float | Double | Signed | Unsigned | Complex | Int128
            | Int128T | UInt128T | Float32 | Float64 | Float80 | Float128 | VaList => {
                if !words.add(self.kind()) {
                    return Err(self.two_types());
                }
                self.bump();
            }
            Typedef | Extern | Static | Auto | Register => self.storage(specs)?,
            Atomic if self.peek(1) == LeftParen => {
                self.bump();
                let ty = Box::new(self.parenthesised(Self::type_name)?);
                self.set_type(specs, TypeSpec::Atomic(ty))?;
            }
            Const | Volatile | Restrict | Atomic => specs.quals = specs.quals.with(qualifier(self.bump().kind)),
            Struct | Union => {
                let record = self.record()?;
                self.set_type(specs, TypeSpec::Record(record))?;
            }
            Enum => {
                let enumeration = self.enumeration()?;
                self.set_type(specs, TypeSpec::Enum(enumeration))?;
            }
            LeftBracket if self.peek(1) != LeftBracket => return Ok(false),
            _ => return self.rare_specifier(specs),
        }
        Ok(true)
    }

    fn rare_specifier(&mut self, specs: &mut DeclSpecs) -> Parse<bool> {
        use TokenKind::*;
        match self.kind() {
            Inline => specs.inline = true,
            Noreturn => specs.noreturn = true,
            ThreadLocal => specs.thread_local = true,
            Extension => {}
            AutoType => self.set_type(specs, TypeSpec::Auto)?,
            Attribute | LeftBracket => {
                self.attributes(&mut specs.attributes)?;
                return Ok(true);
            }
            Typeof => {
                let ty = self.type_of()?;
                self.set_type(specs, ty)?;
                return Ok(true);
            }
            Alignas => {
                self.bump();
                let aligned = self.parenthesised(|parser| match parser.starts_type_name(0) {
                    true => Ok(AlignAs::Type(Box::new(parser.type_name()?))),
                    false => Ok(AlignAs::Expr(Box::new(parser.deeper(Self::conditional)?))),
                })?;
                specs.aligned.push(aligned);
                return Ok(true);
            }
            UnsupportedType => {
                let message = format!("the type ‘{}’ is not supported", self.source(self.span()));
                return Err(self.error(message, "use ‘float’, ‘double’ or ‘long double’"));
            }
            _ => return Ok(false),
        }
        self.bump();
        Ok(true)
    }

    fn type_of(&mut self) -> Parse<TypeSpec> {
        self.bump();
        self.parenthesised(|parser| match parser.starts_type_name(0) {
            true => Ok(TypeSpec::TypeofType(Box::new(parser.type_name()?))),
            false => Ok(TypeSpec::TypeofExpr(Box::new(parser.deeper(Self::expression)?))),
        })
    }

    fn storage(&mut self, specs: &mut DeclSpecs) -> Parse<()> {
        let storage = match self.kind() {
            TokenKind::Typedef => Storage::Typedef,
            TokenKind::Extern => Storage::Extern,
            TokenKind::Static => Storage::Static,
            TokenKind::Auto => Storage::Auto,
            _ => Storage::Register,
        };
        if specs.storage != Storage::None && specs.storage != storage {
            return Err(self.error("more than one storage class in a declaration", "keep one of them"));
        }
        specs.storage = storage;
        self.bump();
        Ok(())
    }

    fn set_type(&mut self, specs: &mut DeclSpecs, ty: TypeSpec) -> Parse<()> {
        if !matches!(specs.ty, TypeSpec::Implicit) {
            return Err(self.two_types());
        }
        specs.ty = ty;
        Ok(())
    }

    #[cold]
    fn two_types(&self) -> Box<base::Diagnostic> {
        self.error("two or more types in one declaration", "is a ‘;’ missing behind the first type?")
    }

    #[cold]
    fn contradiction(&self, first: Span) -> Box<base::Diagnostic> {
        let span = self.since(first);
        let message = format!("‘{}’ is not a type", self.source(span));
        Box::new(base::Diagnostic::error(span, message).help("remove the words that contradict each other"))
    }

    /// The qualifiers behind a `*` or inside `[ ]`.
    pub(super) fn qualifiers(&mut self) -> Quals {
        let mut quals = Quals::NONE;
        loop {
            match qualifier(self.kind()) {
                Quals::NONE => return quals,
                found => quals = quals.with(found),
            }
            self.bump();
        }
    }
}
