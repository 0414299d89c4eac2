//! The syntax tree as the parser leaves it: names are resolved only as far as C's grammar needs
//! (a typedef name or not), nothing has a type yet.

use base::{Span, Symbol};

pub type Block = Vec<BlockItem>;

/// One item at file scope. The parser hands these over one at a time, so that a long file is never held whole.
#[derive(Debug)]
pub enum ExternalDecl {
    Function(Box<FunctionDef>),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    /// Assembly at file scope.
    Asm(Asm),
}

#[derive(Debug)]
pub struct FunctionDef {
    pub specs: DeclSpecs,
    /// Its innermost derivation is a function.
    pub declarator: Declarator,
    /// The declarations between the head and the body of a K&R definition.
    pub kr_declarations: Vec<Declaration>,
    pub body: Block,
    pub span: Span,
    /// The closing brace.
    pub end: Span,
}

#[derive(Debug)]
pub struct Declaration {
    pub specs: DeclSpecs,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Initializer>,
}

#[derive(Debug)]
pub struct StaticAssert {
    pub condition: Expr,
    pub message: Option<StringLiteral>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Debug, Default)]
pub struct DeclSpecs {
    pub storage: Storage,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub quals: Quals,
    pub ty: TypeSpec,
    pub attributes: Vec<Attribute>,
    pub aligned: Vec<AlignAs>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Quals(pub u8);

impl Quals {
    pub const NONE: Quals = Quals(0);
    pub const CONST: Quals = Quals(1);
    pub const VOLATILE: Quals = Quals(2);
    pub const RESTRICT: Quals = Quals(4);
    pub const ATOMIC: Quals = Quals(8);

    pub fn contains(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }
    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }
    pub fn without(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }
}

impl std::fmt::Debug for Quals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = [(1, "const"), (2, "volatile"), (4, "restrict"), (8, "_Atomic")];
        let set: Vec<_> = names.iter().filter(|(bit, _)| self.0 & bit != 0).map(|(_, name)| *name).collect();
        f.write_str(&set.join(" "))
    }
}

#[derive(Debug)]
pub enum AlignAs {
    Type(Box<TypeName>),
    Expr(Box<Expr>),
}

#[derive(Debug, Default)]
pub enum TypeSpec {
    /// No type specifier at all: implicit `int`.
    #[default]
    Implicit,
    Basic(Basic),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    Typedef(Symbol),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__auto_type`.
    Auto,
}

/// The arithmetic types and `void`, after all orders and repetitions of specifiers were sorted out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Basic {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
    /// `_Float128`, `__float128`.
    Float128,
    /// `__builtin_va_list`.
    VaList,
    /// `_Complex` of any kind: parsed, refused later.
    Complex,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Debug)]
pub struct RecordSpec {
    pub kind: RecordKind,
    pub tag: Option<Symbol>,
    /// `None` for a mere mention (`struct s *p`).
    pub members: Option<Vec<Member>>,
    pub attributes: Vec<Attribute>,
    /// The value of `#pragma pack` in force at the closing brace.
    pub pack: Option<u8>,
    pub span: Span,
}

#[derive(Debug)]
pub enum Member {
    Field(FieldDecl),
    StaticAssert(StaticAssert),
}

#[derive(Debug)]
pub struct FieldDecl {
    pub specs: DeclSpecs,
    /// Empty for an anonymous struct or union member.
    pub declarators: Vec<FieldDeclarator>,
    pub span: Span,
}

#[derive(Debug)]
pub struct FieldDeclarator {
    pub declarator: Declarator,
    pub bits: Option<Expr>,
}

#[derive(Debug)]
pub struct EnumSpec {
    pub tag: Option<Symbol>,
    pub enumerators: Option<Vec<Enumerator>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Enumerator {
    pub name: Symbol,
    pub value: Option<Expr>,
    pub span: Span,
}

/// A declarator, abstract if it has no name. `derived` reads from the name outwards:
/// `int *a[3]` has `[Array(3), Pointer]`.
#[derive(Debug, Default)]
pub struct Declarator {
    pub name: Option<Symbol>,
    pub derived: Vec<Derived>,
    pub attributes: Vec<Attribute>,
    /// `__asm__("name")` behind a declarator.
    pub asm_label: Option<StringLiteral>,
    /// The name, or where it would stand.
    pub span: Span,
}

#[derive(Debug)]
pub enum Derived {
    Pointer {
        quals: Quals,
        attributes: Vec<Attribute>,
    },
    Array {
        quals: Quals,
        size: ArraySize,
    },
    Function {
        params: Vec<Param>,
        variadic: bool,
    },
    /// `f()` or `f(a, b)`: an old-style list of names.
    KrFunction {
        names: Vec<(Symbol, Span)>,
    },
}

#[derive(Debug)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]`
    Star,
    Expr(Box<Expr>),
}

#[derive(Debug)]
pub struct Param {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub span: Span,
}

#[derive(Debug)]
pub struct TypeName {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub span: Span,
}

/// `__attribute__((name(args)))`; leading and trailing underscores of the name are dropped.
#[derive(Debug)]
pub struct Attribute {
    pub name: Symbol,
    pub args: Vec<AttributeArg>,
    pub span: Span,
}

/// Arguments are kept where they parse as an expression or a type; anything else is `Other`.
#[derive(Debug)]
pub enum AttributeArg {
    Expr(Expr),
    Type(TypeName),
    Other,
}

#[derive(Debug)]
pub enum Initializer {
    Expr(Expr),
    List { items: Vec<InitItem>, span: Span },
}

#[derive(Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub value: Initializer,
}

#[derive(Debug)]
pub enum Designator {
    /// `.name`, and the old `name:`.
    Field(Symbol, Span),
    Index(Box<Expr>),
    /// `[first ... last]`
    Range(Box<Expr>, Box<Expr>),
}

#[derive(Debug)]
pub enum BlockItem {
    Statement(Statement),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    /// A GNU nested function.
    NestedFunction(Box<FunctionDef>),
}

#[derive(Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StatementKind {
    /// Missing expression: the empty statement.
    Expr(Option<Expr>),
    /// The second span is the closing brace.
    Block(Block, Span),
    If {
        condition: Expr,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    Switch {
        value: Expr,
        body: Box<Statement>,
    },
    While {
        condition: Expr,
        body: Box<Statement>,
    },
    DoWhile {
        body: Box<Statement>,
        condition: Expr,
    },
    For {
        init: ForInit,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Statement>,
    },
    Goto(Symbol),
    /// `goto *e`.
    GotoComputed(Expr),
    Continue,
    Break,
    Return(Option<Expr>),
    Label {
        name: Symbol,
        attributes: Vec<Attribute>,
        statement: Box<Statement>,
    },
    Case {
        low: Expr,
        high: Option<Expr>,
        statement: Box<Statement>,
    },
    Default(Box<Statement>),
    Asm(Asm),
    /// `__label__ a, b;`
    LocalLabels(Vec<Symbol>),
    /// ACSL `//@ assert e;`
    AcslAssert(Expr),
}

#[derive(Debug)]
pub enum ForInit {
    None,
    Expr(Expr),
    Declaration(Declaration),
}

#[derive(Debug)]
pub struct Asm {
    pub template: StringLiteral,
    pub volatile: bool,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<StringLiteral>,
    pub labels: Vec<Symbol>,
    pub span: Span,
}

#[derive(Debug)]
pub struct AsmOperand {
    /// `[name]`, by which a constraint may mean an output.
    pub name: Option<Symbol>,
    pub constraint: StringLiteral,
    pub value: Expr,
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum ExprKind {
    Name(Symbol),
    /// Value and the type its suffix and size ask for are found together when types are known.
    Int {
        value: u128,
        suffix: IntSuffix,
        decimal: bool,
    },
    Float {
        text: Symbol,
        suffix: FloatSuffix,
    },
    Char {
        value: u32,
        encoding: Encoding,
    },
    String(StringLiteral),
    Paren(Box<Expr>),
    /// `({ … })`
    Statement(Block, Span),
    CompoundLiteral {
        ty: Box<TypeName>,
        items: Vec<InitItem>,
    },
    Index(Box<Expr>, Box<Expr>),
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    Member {
        base: Box<Expr>,
        name: Symbol,
        name_span: Span,
    },
    Arrow {
        base: Box<Expr>,
        name: Symbol,
        name_span: Span,
    },
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a = b` is `Assign(None, …)`, `a += b` is `Assign(Some(Add), …)`.
    Assign(Option<Binary>, Box<Expr>, Box<Expr>),
    /// `a ? b : c`; without `b`, GNU's `a ?: c`.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Cast(Box<TypeName>, Box<Expr>),
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    /// Both spellings mean the same for an expression.
    AlignofExpr(Box<Expr>),
    AlignofType(Alignof, Box<TypeName>),
    /// `__builtin_offsetof(type, path)`
    Offsetof {
        ty: Box<TypeName>,
        path: Vec<Designator>,
    },
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `__builtin_va_arg(ap, type)`
    VaArg(Box<Expr>, Box<TypeName>),
    /// `_Generic(control, type: e, …, default: e)`; no type is `default`.
    Generic {
        control: Box<Expr>,
        arms: Vec<(Option<TypeName>, Expr)>,
    },
    /// GNU `&&label`.
    LabelAddress(Symbol),
}

/// Which of the two alignments of a type is asked for. They differ for `double` in the ILP32 data model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignof {
    /// `_Alignof`: at least that of a member of the type.
    Least,
    /// `__alignof__`: that of a variable on its own.
    Preferred,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Plus,
    Minus,
    /// `~`
    Complement,
    Not,
    Deref,
    AddressOf,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    /// GNU `__real__`, `__imag__`: parsed, refused later on complex operands.
    Real,
    Imag,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogAnd,
    LogOr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IntSuffix {
    pub unsigned: bool,
    /// 0, 1 (`l`) or 2 (`ll`).
    pub longs: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    None,
    F,
    L,
    Q,
    /// `i` or `j`: a GNU imaginary constant, refused later.
    Imaginary,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Plain,
    /// `u8"…"`
    Utf8,
    /// `u"…"`, `u'…'`
    Utf16,
    /// `U"…"`, `U'…'`
    Utf32,
    /// `L"…"`, `L'…'`
    Wide,
}

/// Adjacent literals joined, escapes resolved, without the final zero. For wide encodings one element per code unit.
#[derive(Clone, Debug)]
pub struct StringLiteral {
    pub units: Vec<u32>,
    pub encoding: Encoding,
    pub span: Span,
}
