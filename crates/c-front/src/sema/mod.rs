//! Semantic analysis: names get entities, expressions get types, conversions become nodes.
//!
//! The analyzer takes one external declaration at a time and never looks at one twice. What GCC accepts with
//! `-std=gnu11 -w` is accepted; the first thing that is not ends the analysis with one diagnostic.

mod alias;
mod assign;
mod atomics;
mod attributes;
mod builtins;
mod call;
mod convert;
mod declaration;
mod declarator;
mod enums;
mod expr;
mod filling;
mod function;
mod init;
mod init_static;
mod jumps;
mod library;
mod linkage;
mod operators;
mod postfix;
mod records;
mod scope;
mod sizes;
mod specs;
mod stmt;
mod switch;
#[cfg(test)]
mod tests;
mod words;

use base::{Diagnostic, IndexVec, Interner, Span, Symbol};
use rustc_hash::FxHashMap;

use crate::ast;
use crate::constant::Evaluator;
use crate::typed::{
    Constant, Expr, ExprKind, Function, FunctionId, LocalId, Object, ObjectId, Remark, RemarkKind, StringData,
    StringId, Unit,
};
use crate::types::{DataModel, EnumId, FloatKind, IntKind, QualType, RecordId, Type, TypeId, Types, VlaId};
use crate::types_print;

use attributes::AliasOf;
use function::FunctionState;
use linkage::{FunctionInfo, Linked, ObjectInfo};
use scope::Scopes;
use words::Words;

/// Boxed, so that the many functions that only pass an error on stay small.
pub(crate) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// What an ordinary identifier stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entity {
    Typedef {
        ty: QualType,
        align: Option<u64>,
    },
    Object(ObjectId),
    Function(FunctionId),
    Local(LocalId),
    Enumerator {
        value: u128,
        ty: TypeId,
    },
    /// A parameter of a prototype: has a type, but no object.
    Ghost(QualType),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// The types that the rules of the language name.
pub(crate) struct Common {
    pub void: TypeId,
    pub boolean: TypeId,
    pub char: TypeId,
    pub int: TypeId,
    pub uint: TypeId,
    pub long: TypeId,
    pub double: TypeId,
    pub size: TypeId,
    pub ptrdiff: TypeId,
    pub void_pointer: TypeId,
    pub char_pointer: TypeId,
}

/// Takes the external declarations of all files of a program and makes one [`Unit`] of them.
pub struct Analyzer {
    /// Lent by the caller during each call.
    names: Interner,
    types: Types,
    common: Common,
    words: Words,
    objects: IndexVec<ObjectId, Object>,
    object_info: IndexVec<ObjectId, ObjectInfo>,
    functions: IndexVec<FunctionId, Function>,
    function_info: IndexVec<FunctionId, FunctionInfo>,
    strings: IndexVec<StringId, StringData>,
    remarks: Vec<Remark>,
    idents: Scopes<Entity>,
    tags: Scopes<Tag>,
    /// Names with external linkage, of the whole program.
    externals: FxHashMap<Symbol, Linked>,
    /// Names with internal linkage, of this file.
    internals: FxHashMap<Symbol, Linked>,
    /// Names already given to objects and functions; a clash gets a suffix.
    taken: FxHashMap<Symbol, Linked>,
    file: u32,
    current: Option<FunctionState>,
    /// Depth of operands that are only asked for their type.
    unevaluated: u32,
    /// Depth of parameter lists that belong to no definition: lengths of arrays do not matter there.
    prototypes: u32,
    /// Compound literals are static objects here even inside a function.
    static_context: bool,
    /// Variable-length array types met since the last statement that evaluates them.
    pending_vlas: Vec<VlaId>,
    va_list: Option<QualType>,
    /// Functions of this file that are other names of others.
    aliases: Vec<(FunctionId, AliasOf)>,
}

impl Analyzer {
    /// `names` are those of the lexer.
    pub fn new(data_model: DataModel, names: &mut Interner) -> Analyzer {
        // Keywords must be interned before any other name; lexing nothing does that.
        crate::lexer::lex("", 1, names);
        let mut types = Types::new(data_model);
        let common = Common::new(&mut types);
        Analyzer {
            words: Words::new(names),
            names: Interner::new(),
            types,
            common,
            objects: IndexVec::new(),
            object_info: IndexVec::new(),
            functions: IndexVec::new(),
            function_info: IndexVec::new(),
            strings: IndexVec::new(),
            remarks: Vec::new(),
            idents: Scopes::new(),
            tags: Scopes::new(),
            externals: FxHashMap::default(),
            internals: FxHashMap::default(),
            taken: FxHashMap::default(),
            file: 0,
            current: None,
            unevaluated: 0,
            prototypes: 0,
            static_context: false,
            pending_vlas: Vec::new(),
            va_list: None,
            aliases: Vec::new(),
        }
    }

    /// Starts the next file of the program: names with internal linkage, typedefs and tags of the last one are gone.
    pub fn begin_file(&mut self) {
        self.resolve_aliases();
        self.idents.clear();
        self.tags.clear();
        self.internals.clear();
        self.file += 1;
    }

    /// Analyses one declaration at file scope. After an error the analyzer must not be used any more.
    pub fn external(
        &mut self,
        declaration: &ast::ExternalDecl,
        names: &mut Interner,
    ) -> std::result::Result<(), Diagnostic> {
        std::mem::swap(&mut self.names, names);
        let result = self.external_declaration(declaration);
        std::mem::swap(&mut self.names, names);
        result.map_err(|diagnostic| *diagnostic)
    }

    /// The functions that are used so far but have no body, in order of first declaration.
    pub fn used_but_undefined(&self) -> impl Iterator<Item = Symbol> + '_ {
        let functions = self.functions.iter_enumerated();
        functions.filter(|(id, f)| f.body.is_none() && self.function_info[*id].used).map(|(_, f)| f.name)
    }

    fn mark_used(&mut self, function: FunctionId) {
        self.function_info[function].used |= self.unevaluated == 0;
    }

    /// Ends the program. Tentative definitions are completed.
    pub fn finish(mut self) -> std::result::Result<Unit, Diagnostic> {
        self.resolve_aliases();
        self.complete_tentative().map_err(|diagnostic| *diagnostic)?;
        Ok(Unit {
            types: self.types,
            objects: self.objects,
            functions: self.functions,
            strings: self.strings,
            remarks: self.remarks,
        })
    }

    /// The types made so far.
    pub fn types(&self) -> &Types {
        &self.types
    }

    fn external_declaration(&mut self, declaration: &ast::ExternalDecl) -> Result<()> {
        match declaration {
            ast::ExternalDecl::Function(definition) => self.function_definition(definition),
            ast::ExternalDecl::Declaration(declaration) => self.file_declaration(declaration),
            ast::ExternalDecl::StaticAssert(assertion) => self.static_assert(assertion),
            ast::ExternalDecl::Asm(asm) => {
                if !asm.template.units.is_empty() {
                    self.remarks.push(Remark { span: asm.span, kind: RemarkKind::FileAssembly });
                }
                Ok(())
            }
        }
    }

    pub(crate) fn static_assert(&mut self, assertion: &ast::StaticAssert) -> Result<()> {
        let condition = self.value(&assertion.condition)?;
        match self.evaluator().truth(&condition) {
            Some(true) => Ok(()),
            Some(false) => {
                let text = assertion.message.as_ref().map(|message| {
                    let text: String = message.units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
                    format!(": \"{text}\"")
                });
                error(assertion.span, format!("static assertion failed{}", text.unwrap_or_default()))
            }
            None => error(condition.span, "expression in static assertion is not constant"),
        }
    }

    /// For what must be constant everywhere: array sizes, case labels, widths.
    pub(crate) fn evaluator(&self) -> Evaluator<'_> {
        Evaluator {
            types: &self.types,
            strings: &self.strings,
            objects: &self.objects,
            read_objects: false,
            function: self.current.as_ref().map(|state| state.id),
        }
    }

    pub(crate) fn type_text(&self, ty: TypeId) -> String {
        types_print::print_plain(&self.types, &self.names, ty)
    }

    pub(crate) fn qual_text(&self, ty: QualType) -> String {
        types_print::print_type(&self.types, &self.names, ty)
    }

    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        self.names.resolve(symbol)
    }

    pub(crate) fn int_constant(&self, value: u128, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Constant(Constant::Int(value)), ty, span }
    }
}

impl Common {
    fn new(types: &mut Types) -> Common {
        let model = types.data_model;
        let mut int = |kind| types.intern(Type::Int(kind));
        let (size, ptrdiff) = match model {
            DataModel::Lp64 => (int(IntKind::ULong), int(IntKind::Long)),
            DataModel::Ilp32 => (int(IntKind::UInt), int(IntKind::Int)),
        };
        let (char, uint, long, int) = (int(IntKind::Char), int(IntKind::UInt), int(IntKind::Long), int(IntKind::Int));
        let void = types.intern(Type::Void);
        Common {
            void,
            boolean: types.intern(Type::Bool),
            char,
            int,
            uint,
            long,
            double: types.intern(Type::Float(FloatKind::Double)),
            size,
            ptrdiff,
            void_pointer: types.pointer_to(QualType::plain(void)),
            char_pointer: types.pointer_to(QualType::plain(char)),
        }
    }
}

pub(crate) fn error<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Diagnostic::error(span, message)))
}

pub(crate) fn error_help<T>(span: Span, message: impl Into<String>, help: &str) -> Result<T> {
    Err(Box::new(Diagnostic::error(span, message).help(help)))
}

/// A construct that is understood but not modelled.
pub(crate) fn unsupported<T>(span: Span, construct: &str) -> Result<T> {
    error_help(span, format!("{construct} is not supported"), "rewrite this part of the program without it")
}
