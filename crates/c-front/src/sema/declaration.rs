//! Declarations at file scope and in blocks.

use base::{Span, Symbol};

use super::attributes::{AliasOf, Attributes};
use super::linkage::{Linked, ObjectDecl};
use super::specs::{Specified, TagUse};
use super::{Analyzer, Entity, Result, error, error_help};
use crate::ast::{self, Storage, TypeSpec};
use crate::typed::{Local, LocalId, Statement, StatementKind};
use crate::types::{ArrayLength, QualType, Quals, Type};

/// One declarator of a declaration, its type made.
struct Declared<'a> {
    name: Symbol,
    ty: QualType,
    attributes: Attributes,
    /// From `aligned` and `_Alignas`.
    align: Option<u64>,
    type_align: Option<u64>,
    specs: &'a ast::DeclSpecs,
    init: Option<&'a ast::Initializer>,
    span: Span,
}

impl Analyzer {
    pub(crate) fn file_declaration(&mut self, declaration: &ast::Declaration) -> Result<()> {
        let tag_use = if declaration.declarators.is_empty() { TagUse::Declare } else { TagUse::Mention };
        let specified = self.declared_specifiers(declaration, tag_use)?;
        for item in &declaration.declarators {
            let declared = self.declared(&declaration.specs, specified, item)?;
            self.pending_vlas.clear();
            self.file_declarator(declared)?;
        }
        Ok(())
    }

    /// `__auto_type` is resolved with its initialiser; until then it counts as `int`.
    fn declared_specifiers(&mut self, declaration: &ast::Declaration, tag_use: TagUse) -> Result<Specified> {
        match (&declaration.specs.ty, declaration.declarators.as_slice()) {
            (TypeSpec::Auto, [item]) if item.declarator.derived.is_empty() => {
                let Some(ast::Initializer::Expr(init)) = &item.init else {
                    return error(declaration.span, "‘__auto_type’ needs an initialiser");
                };
                let ty = self.auto_type(init)?;
                let ty = self.types.qualify(ty, declaration.specs.quals);
                Ok(Specified { ty, align: None })
            }
            _ => self.specifiers(&declaration.specs, tag_use),
        }
    }

    /// The type of the initialiser's value, found without evaluating it.
    fn auto_type(&mut self, init: &ast::Expr) -> Result<QualType> {
        let value = self.unevaluated(|this| this.value(init));
        Ok(QualType::plain(value?.ty))
    }

    fn declared<'a>(
        &mut self,
        specs: &'a ast::DeclSpecs,
        specified: Specified,
        item: &'a ast::InitDeclarator,
    ) -> Result<Declared<'a>> {
        let declarator = &item.declarator;
        let Some(name) = declarator.name else { return error(declarator.span, "a declarator without a name") };
        let attributes = if specs.attributes.is_empty() && declarator.attributes.is_empty() {
            Attributes::default()
        } else {
            self.attributes(&[&specs.attributes, &declarator.attributes])?
        };
        let base = self.apply_mode(specified.ty, &attributes, declarator.span)?;
        let ty = self.declarator_type(base, &declarator.derived, declarator.span)?;
        let align = if specs.aligned.is_empty() {
            attributes.aligned
        } else {
            self.declared_alignment(&specs.aligned, &attributes)?
        };
        let only_arrays = declarator.derived.iter().all(|derived| matches!(derived, ast::Derived::Array { .. }));
        let type_align = if only_arrays { specified.align } else { None };
        Ok(Declared { name, ty, attributes, align, type_align, specs, init: item.init.as_ref(), span: declarator.span })
    }

    fn file_declarator(&mut self, declared: Declared) -> Result<()> {
        match declared.specs.storage {
            Storage::Typedef => self.declare_typedef(&declared),
            _ if matches!(self.types[declared.ty.ty], Type::Function(_)) => self.declare_prototype(&declared),
            Storage::Auto | Storage::Register if declared.specs.storage == Storage::Auto => {
                error(declared.span, format!("‘{}’ at file scope cannot be ‘auto’", self.name(declared.name)))
            }
            _ => self.file_object(declared),
        }
    }

    /// A function is not an object that each thread could have its own of.
    pub(crate) fn check_function_storage(&self, specs: &ast::DeclSpecs, name: Symbol, span: Span) -> Result<()> {
        match specs.thread_local {
            true => error_help(
                span,
                format!("the function ‘{}’ is declared thread-local", self.name(name)),
                "only variables can be thread-local: remove ‘_Thread_local’",
            ),
            false => Ok(()),
        }
    }

    fn declare_prototype(&mut self, declared: &Declared) -> Result<()> {
        self.check_function_storage(declared.specs, declared.name, declared.span)?;
        if declared.init.is_some() {
            let name = self.name(declared.name);
            return error(declared.span, format!("the function ‘{name}’ is initialised like a variable"));
        }
        let mut attributes = declared.attributes.clone();
        attributes.noreturn |= declared.specs.noreturn;
        self.declare_function(declared.name, declared.ty.ty, declared.specs.storage, &attributes, declared.span)?;
        Ok(())
    }

    fn declare_typedef(&mut self, declared: &Declared) -> Result<()> {
        let align = declared.align.or(declared.type_align);
        if declared.init.is_some() {
            return error(declared.span, "a typedef cannot be initialised");
        }
        if let Some((entity, previous)) = self.idents.get_here(declared.name) {
            let same = match entity {
                Entity::Typedef { ty, .. } => {
                    self.types.compatible(ty.ty, declared.ty.ty) && ty.quals == declared.ty.quals
                }
                _ => false,
            };
            if !same {
                let message = format!("conflicting declarations of ‘{}’", self.name(declared.name));
                return Err(self.with_previous(message, declared.span, previous));
            }
            return Ok(());
        }
        self.idents.bind(declared.name, Entity::Typedef { ty: declared.ty, align }, declared.span);
        Ok(())
    }

    fn file_object(&mut self, declared: Declared) -> Result<()> {
        if self.types.is_variably_modified(declared.ty.ty) {
            return error(declared.span, format!("the size of ‘{}’ is not constant", self.name(declared.name)));
        }
        let storage = match declared.specs.storage {
            storage @ (Storage::Extern | Storage::Static) => storage,
            _ => Storage::None,
        };
        if let Some(target) = declared.attributes.alias
            && self.object_alias(&declared, target)
        {
            return Ok(());
        }
        self.check_object_type(&declared, storage)?;
        let (id, keep) = self.declare_object(&ObjectDecl {
            name: declared.name,
            ty: declared.ty,
            storage,
            thread_local: declared.specs.thread_local,
            has_init: declared.init.is_some(),
            weak: declared.attributes.weak,
            align: self.stricter_alignment(&declared),
            span: declared.span,
        })?;
        let Some(init) = declared.init else { return Ok(()) };
        let ty = if keep { self.objects[id].ty } else { declared.ty };
        let (ty, init) = self.static_initializer(ty, init)?;
        if !keep {
            return Ok(());
        }
        self.objects[id].ty = ty;
        self.objects[id].init = Some(init);
        Ok(())
    }

    /// Makes the name one of the target's, if that is known and the name is new.
    fn object_alias(&mut self, declared: &Declared, alias: AliasOf) -> bool {
        match self.linked(alias.target) {
            Some(linked @ Linked::Object(id)) if self.linked(declared.name).is_none() && !declared.attributes.weak => {
                self.link_only(declared.name, linked, declared.specs.storage == Storage::Static);
                self.idents.bind(declared.name, Entity::Object(id), declared.span);
                true
            }
            _ => {
                self.alias_is_not_modelled(alias);
                false
            }
        }
    }

    /// Objects need a complete type; at file scope `[]` and tentative records may be completed later.
    fn check_object_type(&self, declared: &Declared, storage: Storage) -> Result<()> {
        let complete = match self.types[declared.ty.ty] {
            Type::Array { length: ArrayLength::Unknown, .. } => true,
            Type::Void => storage == Storage::Extern,
            Type::Record(_) | Type::Enum(_) if declared.init.is_none() => true,
            _ => self.types.is_complete(declared.ty.ty),
        };
        if complete {
            return Ok(());
        }
        let (name, ty) = (self.name(declared.name), self.qual_text(declared.ty));
        error(declared.span, format!("‘{name}’ has the incomplete type ‘{ty}’"))
    }

    pub(crate) fn local_declaration(&mut self, declaration: &ast::Declaration, out: &mut Vec<Statement>) -> Result<()> {
        let tag_use = if declaration.declarators.is_empty() { TagUse::Declare } else { TagUse::Mention };
        let specified = self.declared_specifiers(declaration, tag_use)?;
        self.flush_vlas(declaration.span, out);
        for item in &declaration.declarators {
            let declared = self.declared(&declaration.specs, specified, item)?;
            self.flush_vlas(declared.span, out);
            self.local_declarator(declared, out)?;
        }
        Ok(())
    }

    /// Control passes the variable-length types met so far.
    pub(crate) fn flush_vlas(&mut self, span: Span, out: &mut Vec<Statement>) {
        for id in self.pending_vlas.drain(..) {
            out.push(Statement { kind: StatementKind::Vla(id), span });
        }
    }

    fn local_declarator(&mut self, declared: Declared, out: &mut Vec<Statement>) -> Result<()> {
        if self.types.is_variably_modified(declared.ty.ty) {
            self.state().jumps.pass_variable_type();
        }
        match declared.specs.storage {
            Storage::Typedef => self.declare_typedef(&declared),
            _ if matches!(self.types[declared.ty.ty], Type::Function(_)) => self.declare_prototype(&declared),
            Storage::Extern => self.local_extern(&declared),
            Storage::Static => self.static_local(&declared),
            _ if declared.specs.thread_local => {
                let name = self.name(declared.name);
                error(declared.span, format!("‘{name}’ is thread-local but neither static nor extern"))
            }
            _ => self.automatic(&declared, out),
        }
    }

    /// What was asked for beyond the type's own alignment.
    fn stricter_alignment(&self, declared: &Declared) -> Option<u64> {
        let asked = declared.align.max(declared.type_align)?;
        (asked > self.types.align_of(declared.ty)).then_some(asked)
    }

    fn local_extern(&mut self, declared: &Declared) -> Result<()> {
        if declared.init.is_some() {
            return error(declared.span, format!("‘{}’ is extern and initialised", self.name(declared.name)));
        }
        self.declare_object(&ObjectDecl {
            name: declared.name,
            ty: declared.ty,
            storage: Storage::Extern,
            thread_local: declared.specs.thread_local,
            has_init: false,
            weak: declared.attributes.weak,
            align: self.stricter_alignment(declared),
            span: declared.span,
        })?;
        Ok(())
    }

    fn static_local(&mut self, declared: &Declared) -> Result<()> {
        self.check_new(declared.name, declared.span)?;
        if self.types.is_variably_modified(declared.ty.ty) && self.types.is_variable(declared.ty.ty) {
            return error(declared.span, format!("the size of ‘{}’ is not constant", self.name(declared.name)));
        }
        let name = self.local_object_name(declared.name);
        let id = self.anonymous_object(name, declared.ty, declared.span);
        self.objects[id].thread_local = declared.specs.thread_local;
        self.objects[id].align = self.stricter_alignment(declared);
        self.idents.bind(declared.name, Entity::Object(id), declared.span);
        if let Some(init) = declared.init {
            let (ty, init) = self.static_initializer(declared.ty, init)?;
            self.objects[id].ty = ty;
            self.objects[id].init = Some(init);
        }
        self.check_complete(self.objects[id].ty, declared.name, declared.span)
    }

    /// `function.name`
    pub(crate) fn local_object_name(&mut self, name: Symbol) -> Symbol {
        let Some(state) = &self.current else { return name };
        let function = self.names.resolve(self.functions[state.id].name);
        let text = format!("{function}.{}", self.names.resolve(name));
        self.names.intern(&text)
    }

    fn check_new(&self, name: Symbol, span: Span) -> Result<()> {
        match self.idents.get_here(name) {
            Some((_, previous)) => {
                Err(self.with_previous(format!("redeclaration of ‘{}’", self.name(name)), span, previous))
            }
            None => Ok(()),
        }
    }

    fn check_complete(&self, ty: QualType, name: Symbol, span: Span) -> Result<()> {
        if self.types.is_complete(ty.ty) {
            return Ok(());
        }
        let text = self.qual_text(ty);
        error(span, format!("‘{}’ has the incomplete type ‘{text}’", self.name(name)))
    }

    fn automatic(&mut self, declared: &Declared, out: &mut Vec<Statement>) -> Result<()> {
        self.check_new(declared.name, declared.span)?;
        let id = self.new_local(Some(declared.name), declared.ty, declared.span);
        self.idents.bind(declared.name, Entity::Local(id), declared.span);
        if declared.specs.storage == Storage::Register {
            self.state().registers.insert(id);
        }
        let align = self.stricter_alignment(declared);
        let local = self.local_mut(id);
        local.align = align;
        local.cleanup = declared.attributes.cleanup;
        let mut init = None;
        if let Some(initializer) = declared.init {
            let (ty, parts) = self.local_initializer(declared.ty, initializer, declared.span)?;
            self.local_mut(id).ty = ty;
            init = Some(parts);
        }
        let ty = self.local_mut(id).ty;
        self.check_complete(ty, declared.name, declared.span)?;
        self.flush_vlas(declared.span, out);
        out.push(Statement { kind: StatementKind::Declare(id, init), span: declared.span });
        Ok(())
    }

    pub(crate) fn new_local(&mut self, name: Option<Symbol>, ty: QualType, span: Span) -> LocalId {
        let local = Local { name, ty, address_taken: false, align: None, cleanup: None, span };
        self.state().locals.push(local)
    }

    pub(crate) fn local_mut(&mut self, id: LocalId) -> &mut Local {
        &mut self.state().locals[id]
    }

    /// Assignable unless declared `const`.
    pub(crate) fn is_const(ty: QualType) -> bool {
        ty.quals.contains(Quals::CONST)
    }
}
