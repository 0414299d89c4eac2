//! Linkage: which declarations of one name mean one object or function, within a file and between files.

use base::{Diagnostic, Span, Symbol};

use super::attributes::Attributes;
use super::{Analyzer, Entity, Result, error};
use crate::ast::Storage;
use crate::typed::{Function, FunctionAttributes, FunctionId, Object, ObjectId};
use crate::types::{ArrayLength, QualType, Type, TypeId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Linked {
    Object(ObjectId),
    Function(FunctionId),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectInfo {
    /// The file of the latest declaration.
    pub file: u32,
    /// The type that it has in that file.
    pub declared: Option<QualType>,
    pub internal: bool,
    /// Defined with an initialiser.
    pub strong: bool,
    /// Declared weak in `file`.
    pub weak: bool,
    /// The definition that counts so far is weak.
    pub weak_definition: bool,
    pub definition_file: u32,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FunctionInfo {
    pub file: u32,
    /// The type that it has in that file.
    pub declared: Option<TypeId>,
    pub internal: bool,
    /// The body is that of an inline definition: another file may have the same, or a better one.
    pub inline_body: bool,
    /// Declared by a call; any real declaration replaces the type.
    pub implicit: bool,
    /// Called, or its address taken, where that is evaluated.
    pub used: bool,
    /// Declared weak in `file`.
    pub weak: bool,
    /// The body is that of a weak definition: a strong one of another file replaces it.
    pub weak_body: bool,
    pub body_file: u32,
}

/// A declaration of an object with linkage.
pub(crate) struct ObjectDecl {
    pub name: Symbol,
    pub ty: QualType,
    pub storage: Storage,
    pub thread_local: bool,
    pub has_init: bool,
    pub weak: bool,
    pub align: Option<u64>,
    pub span: Span,
}

impl Analyzer {
    pub(crate) fn linked(&self, name: Symbol) -> Option<Linked> {
        self.internals.get(&name).or_else(|| self.externals.get(&name)).copied()
    }

    /// Declares a function in the innermost scope. A static one may follow only static ones.
    pub(crate) fn declare_function(
        &mut self,
        name: Symbol,
        ty: TypeId,
        storage: Storage,
        attributes: &Attributes,
        span: Span,
    ) -> Result<FunctionId> {
        self.check_kind(name, span, |entity| matches!(entity, Entity::Function(_)))?;
        let id = match self.linked(name) {
            Some(Linked::Function(id)) => self.redeclare_function(id, name, ty, storage, span)?,
            Some(Linked::Object(id)) if self.object_info[id].file == self.file => {
                return error(span, format!("‘{}’ is declared again as a different kind of symbol", self.name(name)));
            }
            _ => self.new_function(name, ty, storage == Storage::Static, span),
        };
        let flags = &mut self.functions[id].attributes;
        flags.noreturn |= attributes.noreturn;
        flags.constructor |= attributes.constructor;
        flags.destructor |= attributes.destructor;
        flags.weak |= attributes.weak;
        let info = &mut self.function_info[id];
        info.weak |= attributes.weak;
        info.weak_body |= info.weak && info.body_file == self.file;
        if let Some(target) = attributes.alias {
            self.aliases.push((id, target));
        }
        if self.idents.get_here(name).is_none() {
            self.idents.bind(name, Entity::Function(id), span);
        }
        Ok(id)
    }

    fn redeclare_function(
        &mut self,
        id: FunctionId,
        name: Symbol,
        ty: TypeId,
        storage: Storage,
        span: Span,
    ) -> Result<FunctionId> {
        let info = self.function_info[id];
        let same_file = info.file == self.file;
        if storage == Storage::Static && !info.internal && !same_file {
            return Ok(self.new_function(name, ty, true, span));
        }
        self.function_info[id].file = self.file;
        self.function_info[id].weak &= same_file;
        // Records of another file are other types, even if they are the same.
        let declared = info.declared.filter(|_| same_file && !info.implicit).unwrap_or(ty);
        if info.implicit {
            self.function_info[id].declared = Some(ty);
            self.function_info[id].implicit = false;
            self.functions[id].ty = ty;
            self.functions[id].span = span;
            return Ok(id);
        }
        if storage == Storage::Static && !info.internal {
            let message = format!("static declaration of ‘{}’ follows a non-static one", self.name(name));
            return Err(self.with_previous(message, span, self.functions[id].span));
        }
        let old = self.functions[id].ty;
        if !self.types.compatible(declared, ty) && !self.old_style_match(declared, ty) {
            let message = format!(
                "conflicting types for ‘{}’: ‘{}’ and ‘{}’",
                self.name(name),
                self.type_text(ty),
                self.type_text(declared)
            );
            return Err(self.with_previous(message, span, self.functions[id].span));
        }
        let compatible = self.types.compatible(declared, ty);
        let now =
            if compatible { self.types.composite(QualType::plain(declared), QualType::plain(ty)).ty } else { declared };
        self.function_info[id].declared = Some(now);
        if self.types.compatible(old, ty) {
            self.functions[id].ty = self.types.composite(QualType::plain(old), QualType::plain(ty)).ty;
        }
        Ok(id)
    }

    /// GCC lets an old-style definition stand beside a prototype whose parameters differ by promotion only.
    fn old_style_match(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.function(a), self.types.function(b)) {
            (Some(x), Some(y)) => (!x.prototype || !y.prototype) && self.types.compatible(x.result.ty, y.result.ty),
            _ => false,
        }
    }

    pub(crate) fn new_function(&mut self, name: Symbol, ty: TypeId, internal: bool, span: Span) -> FunctionId {
        let id = self.functions.push(Function {
            name,
            ty,
            params: Vec::new(),
            locals: Default::default(),
            labels: Default::default(),
            vlas: Default::default(),
            body: None,
            attributes: FunctionAttributes::default(),
            span,
            end: span,
        });
        self.function_info.push(FunctionInfo {
            file: self.file,
            declared: Some(ty),
            internal,
            ..FunctionInfo::default()
        });
        self.link(name, Linked::Function(id), internal);
        id
    }

    fn link(&mut self, name: Symbol, linked: Linked, internal: bool) {
        self.link_only(name, linked, internal);
        self.take_name(name, linked, internal);
    }

    pub(crate) fn link_only(&mut self, name: Symbol, linked: Linked, internal: bool) {
        if internal {
            self.internals.insert(name, linked);
        } else {
            self.externals.insert(name, linked);
        }
    }

    /// Declares an object with linkage: at file scope, or `extern` in a block.
    /// Says also whether an initialiser of this declaration counts.
    pub(crate) fn declare_object(&mut self, decl: &ObjectDecl) -> Result<(ObjectId, bool)> {
        self.check_kind(decl.name, decl.span, |entity| matches!(entity, Entity::Object(_)))?;
        let (id, counts) = match self.linked(decl.name) {
            Some(Linked::Object(id)) if self.same_object(id, decl)? => (id, self.redeclare_object(id, decl)?),
            Some(Linked::Function(id)) if self.function_info[id].file == self.file => {
                let name = self.name(decl.name);
                return error(decl.span, format!("‘{name}’ is declared again as a different kind of symbol"));
            }
            _ => (self.new_object(decl), true),
        };
        if self.idents.get_here(decl.name).is_none() {
            self.idents.bind(decl.name, Entity::Object(id), decl.span);
        }
        Ok((id, counts))
    }

    /// Whether the declaration names `id`. An object of another file is another one if this declaration is static.
    fn same_object(&self, id: ObjectId, decl: &ObjectDecl) -> Result<bool> {
        let info = self.object_info[id];
        let name = self.name(decl.name);
        let previous = self.objects[id].span;
        if decl.storage == Storage::Static && !info.internal {
            if info.file != self.file {
                return Ok(false);
            }
            let message = format!("static declaration of ‘{name}’ follows a non-static one");
            return Err(self.with_previous(message, decl.span, previous));
        }
        if info.internal && decl.storage == Storage::None {
            let message = format!("non-static declaration of ‘{name}’ follows a static one");
            return Err(self.with_previous(message, decl.span, previous));
        }
        Ok(true)
    }

    /// Whether the definition in `decl`, if it is one, counts.
    fn redeclare_object(&mut self, id: ObjectId, decl: &ObjectDecl) -> Result<bool> {
        let same_file = self.object_info[id].file == self.file;
        let info = &mut self.object_info[id];
        info.weak = decl.weak || same_file && info.weak;
        let info = *info;
        let defines = decl.storage != Storage::Extern || decl.has_init;
        if defines && self.objects[id].defined && info.definition_file != self.file {
            if info.weak {
                // The linker keeps a strong definition, or the first of weak ones.
                self.object_info[id].file = self.file;
                return Ok(false);
            }
            if info.weak_definition {
                self.forget_definition(id, decl);
            }
        }
        let old = self.objects[id].ty;
        let declared = info.declared.filter(|_| same_file).unwrap_or(decl.ty);
        if !self.types.compatible(declared.ty, decl.ty.ty) || declared.quals != decl.ty.quals {
            let message = format!(
                "conflicting types for ‘{}’: ‘{}’ and ‘{}’",
                self.name(decl.name),
                self.qual_text(decl.ty),
                self.qual_text(declared)
            );
            return Err(self.with_previous(message, decl.span, self.objects[id].span));
        }
        self.object_info[id].declared = Some(self.types.composite(declared, decl.ty));
        if self.types.compatible(old.ty, decl.ty.ty) {
            self.objects[id].ty = self.types.composite(old, decl.ty);
        } else if decl.storage != Storage::Extern {
            self.objects[id].ty = decl.ty;
        }
        if decl.has_init && self.object_info[id].strong {
            let message = format!("redefinition of ‘{}’", self.name(decl.name));
            return Err(self.with_previous(message, decl.span, self.objects[id].span));
        }
        let object = &mut self.objects[id];
        let info = &mut self.object_info[id];
        if defines && (!object.defined || decl.has_init) {
            object.span = decl.span;
            info.definition_file = self.file;
        }
        object.defined |= defines;
        object.thread_local |= decl.thread_local;
        object.align = object.align.max(decl.align);
        info.file = self.file;
        info.strong |= decl.has_init;
        if info.definition_file == self.file {
            info.weak_definition = info.weak;
        }
        Ok(true)
    }

    /// A strong definition takes the place of a weak one.
    fn forget_definition(&mut self, id: ObjectId, decl: &ObjectDecl) {
        let object = &mut self.objects[id];
        (object.ty, object.init, object.defined) = (decl.ty, None, false);
        let info = &mut self.object_info[id];
        (info.strong, info.weak_definition) = (false, false);
    }

    fn new_object(&mut self, decl: &ObjectDecl) -> ObjectId {
        let internal = decl.storage == Storage::Static;
        let defined = decl.storage != Storage::Extern || decl.has_init;
        let id = self.objects.push(Object {
            name: decl.name,
            ty: decl.ty,
            thread_local: decl.thread_local,
            defined,
            init: None,
            address_taken: false,
            align: decl.align,
            span: decl.span,
        });
        self.object_info.push(ObjectInfo {
            file: self.file,
            declared: Some(decl.ty),
            internal,
            strong: decl.has_init,
            weak: decl.weak,
            weak_definition: defined && decl.weak,
            definition_file: if defined { self.file } else { 0 },
        });
        self.link(decl.name, Linked::Object(id), internal);
        id
    }

    /// An object without linkage: a static local or a compound literal.
    pub(crate) fn anonymous_object(&mut self, name: Symbol, ty: QualType, span: Span) -> ObjectId {
        let id = self.objects.push(Object {
            name,
            ty,
            thread_local: false,
            defined: true,
            init: None,
            address_taken: false,
            align: None,
            span,
        });
        self.object_info.push(ObjectInfo {
            file: self.file,
            declared: Some(ty),
            internal: true,
            strong: true,
            weak: false,
            weak_definition: false,
            definition_file: self.file,
        });
        self.take_name(name, Linked::Object(id), true);
        id
    }

    /// Keeps names unique: of two claimants the one that is invisible to other files gets a suffix.
    fn take_name(&mut self, name: Symbol, claimant: Linked, internal: bool) {
        let Some(&owner) = self.taken.get(&name) else {
            self.taken.insert(name, claimant);
            return;
        };
        let renamed = if internal { claimant } else { owner };
        self.taken.insert(name, if internal { owner } else { claimant });
        let mut count = 2;
        let fresh = loop {
            let text = format!("{}.{count}", self.names.resolve(name));
            let fresh = self.names.intern(&text);
            if !self.taken.contains_key(&fresh) {
                break fresh;
            }
            count += 1;
        };
        self.taken.insert(fresh, renamed);
        match renamed {
            Linked::Object(id) => self.objects[id].name = fresh,
            Linked::Function(id) => self.functions[id].name = fresh,
        }
    }

    /// A name may be declared again in its scope only as the same kind of thing.
    pub(crate) fn check_kind(&self, name: Symbol, span: Span, same: impl Fn(Entity) -> bool) -> Result<()> {
        match self.idents.get_here(name) {
            Some((entity, previous)) if !same(entity) => {
                let message = format!("‘{}’ is declared again as a different kind of symbol", self.name(name));
                Err(self.with_previous(message, span, previous))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn with_previous(&self, message: String, span: Span, previous: Span) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(span, message).note(previous, "the previous declaration is here"))
    }

    /// `int a[];` without any length has one element in the end; any other object must have a size by then.
    pub(crate) fn complete_tentative(&mut self) -> Result<()> {
        for object in self.objects.iter_mut().filter(|object| object.defined) {
            if let Type::Array { element, length: ArrayLength::Unknown } = self.types[object.ty.ty] {
                object.ty.ty = self.types.intern(Type::Array { element, length: ArrayLength::Known(1) });
            }
            if !self.types.is_complete(object.ty.ty) {
                return error(object.span, "the type of this object is never completed, so its size is unknown");
            }
        }
        Ok(())
    }
}
