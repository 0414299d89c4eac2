//! Function definitions.

use base::{IndexVec, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::declarator::ParamInfo;
use super::jumps::Jumps;
use super::linkage::FunctionInfo;
use super::specs::TagUse;
use super::switch::SwitchState;
use super::{Analyzer, Entity, Result, Tag, error};
use crate::ast::{self, Derived, Storage};
use crate::typed::{
    Expr, ExprKind, FunctionId, Init, InitPart, InitValue, Label, LabelId, Local, LocalId, Place, PlaceKind, Statement,
    StatementKind,
};
use crate::types::{FloatKind, FunctionType, QualType, Type, TypeId, VlaId};

/// What is known while the body of a function is analysed.
pub(crate) struct FunctionState {
    pub id: FunctionId,
    pub result: TypeId,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    pub vlas: IndexVec<VlaId, Expr>,
    pub label_names: FxHashMap<Symbol, LabelEntry>,
    /// What `__label__` declarations hid, to be restored at the end of their block.
    pub hidden_labels: Vec<(Symbol, Option<LabelEntry>)>,
    pub loops: u32,
    /// Loops and switches.
    pub breakables: u32,
    pub switches: Vec<SwitchState>,
    /// Locals declared `register`, which have no address.
    pub registers: FxHashSet<LocalId>,
    pub jumps: Jumps,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelEntry {
    pub id: LabelId,
    pub defined: bool,
}

/// The head of a definition: its type as others see it, and its parameters.
struct Head {
    ty: TypeId,
    params: Vec<ParamInfo>,
    /// What the parameter list declared besides, in `(struct s { int a; } x)` for example: the body sees it too.
    tags: Vec<(Symbol, Tag, Span)>,
    idents: Vec<(Symbol, Entity, Span)>,
}

impl FunctionState {
    fn new() -> FunctionState {
        FunctionState {
            id: FunctionId(u32::MAX),
            result: TypeId(0),
            locals: IndexVec::new(),
            labels: IndexVec::new(),
            vlas: IndexVec::new(),
            label_names: FxHashMap::default(),
            hidden_labels: Vec::new(),
            loops: 0,
            breakables: 0,
            switches: Vec::new(),
            registers: FxHashSet::default(),
            jumps: Jumps::default(),
        }
    }
}

impl Analyzer {
    /// The function being analysed; only called inside one.
    pub(crate) fn state(&mut self) -> &mut FunctionState {
        self.current.as_mut().expect("this construct occurs only inside functions")
    }

    pub(crate) fn function_definition(&mut self, definition: &ast::FunctionDef) -> Result<()> {
        let span = definition.declarator.span;
        let Some(name) = definition.declarator.name else { return error(span, "a function without a name") };
        self.check_function_storage(&definition.specs, name, span)?;
        let specified = self.specifiers(&definition.specs, TagUse::Mention)?;
        let mut attributes = self.attributes(&[&definition.specs.attributes, &definition.declarator.attributes])?;
        attributes.noreturn |= definition.specs.noreturn;
        let derived = &definition.declarator.derived;
        let result = self.declarator_type(specified.ty, derived.get(1..).unwrap_or_default(), span)?;
        self.check_result(result, span)?;
        if !self.types.is_void(result.ty) && !self.types.is_complete(result.ty) {
            let text = self.qual_text(result);
            return error(span, format!("‘{}’ returns the incomplete type ‘{text}’", self.name(name)));
        }

        self.current = Some(FunctionState::new());
        let head = self.head(definition, result)?;
        let pending = std::mem::take(&mut self.pending_vlas);
        let id = self.declare_function(name, head.ty, definition.specs.storage, &attributes, span)?;
        let keep = self.check_redefinition(id, name, definition)?;
        let state = self.state();
        state.id = id;
        state.result = result.ty;
        self.pending_vlas = pending;
        self.body(definition, head, id, keep)
    }

    /// Whether this body is to be kept: an inline definition yields to one that is there already.
    fn check_redefinition(&mut self, id: FunctionId, name: Symbol, definition: &ast::FunctionDef) -> Result<bool> {
        let inline = definition.specs.inline && definition.specs.storage != Storage::Static;
        let info = self.function_info[id];
        let elsewhere = info.body_file != self.file;
        let replaces_weak = info.weak_body && !info.weak && !inline && elsewhere;
        if self.functions[id].body.is_none() || info.inline_body || replaces_weak {
            let weak = info.weak;
            self.functions[id].attributes.weak = weak;
            self.function_info[id] =
                FunctionInfo { inline_body: inline, weak_body: weak, body_file: self.file, ..info };
            return Ok(true);
        }
        // The linker keeps a strong definition, or the first of weak ones.
        if inline || info.weak && elsewhere {
            return Ok(false);
        }
        let message = format!("redefinition of ‘{}’", self.name(name));
        Err(self.with_previous(message, definition.declarator.span, self.functions[id].span))
    }

    fn head(&mut self, definition: &ast::FunctionDef, result: QualType) -> Result<Head> {
        self.idents.push();
        self.tags.push();
        let mut head = match definition.declarator.derived.first() {
            Some(Derived::Function { params, variadic }) => self.prototype_head(params, *variadic, result),
            Some(Derived::KrFunction { names }) => self.old_style_head(names, &definition.kr_declarations, result),
            _ => error(definition.declarator.span, "a body follows something that is not a function"),
        }?;
        head.tags = self.tags.pop_bindings();
        head.idents = self.idents.pop_bindings();
        Ok(head)
    }

    fn prototype_head(&mut self, params: &[ast::Param], variadic: bool, result: QualType) -> Result<Head> {
        let mut infos = Vec::with_capacity(params.len());
        if !self.is_void_list(params) {
            for param in params {
                let info = self.parameter(param)?;
                self.definition_parameter(info)?;
                infos.push(info);
            }
        }
        let types = infos.iter().map(|info| info.ty.unqualified()).collect::<Vec<_>>();
        let types = types.into_iter().map(|ty| QualType::plain(self.without_variable_lengths(ty.ty))).collect();
        let ty = self.function_type(FunctionType { result, params: types, variadic, prototype: true }).ty;
        Ok(Head { ty, params: infos, tags: Vec::new(), idents: Vec::new() })
    }

    /// Makes the parameter a local, visible to the parameters after it.
    fn definition_parameter(&mut self, info: ParamInfo) -> Result<()> {
        if !self.types.is_complete(info.ty.ty) {
            let text = self.qual_text(info.ty);
            return error(info.span, format!("a parameter has the incomplete type ‘{text}’"));
        }
        let id = self.new_local(info.name, info.ty, info.span);
        if info.register {
            self.state().registers.insert(id);
        }
        let Some(name) = info.name else { return Ok(()) };
        if self.idents.get_here(name).is_some() {
            return error(info.span, format!("two parameters are called ‘{}’", self.name(name)));
        }
        self.idents.bind(name, Entity::Local(id), info.span);
        Ok(())
    }

    fn old_style_head(
        &mut self,
        names: &[(Symbol, Span)],
        declarations: &[ast::Declaration],
        result: QualType,
    ) -> Result<Head> {
        let mut declared = FxHashMap::default();
        for declaration in declarations {
            let specified = self.specifiers(&declaration.specs, TagUse::Mention)?;
            for item in &declaration.declarators {
                let Some(name) = item.declarator.name else { continue };
                let span = item.declarator.span;
                let ty = self.declarator_type(specified.ty, &item.declarator.derived, span)?;
                let ty = self.adjust_parameter(ty);
                if !names.iter().any(|&(known, _)| known == name) {
                    return error(span, format!("‘{}’ is declared here but is no parameter", self.name(name)));
                }
                declared.insert(name, (ty, declaration.specs.storage == Storage::Register));
            }
        }
        let int = QualType::plain(self.common.int);
        let params: Vec<_> = names
            .iter()
            .map(|&(name, span)| {
                let (ty, register) = declared.get(&name).copied().unwrap_or((int, false));
                ParamInfo { name: Some(name), ty, register, span }
            })
            .collect();
        for &info in &params {
            self.definition_parameter(info)?;
        }
        let types = params.iter().map(|info| QualType::plain(self.promoted_parameter(info.ty.ty))).collect();
        let ty = self.function_type(FunctionType { result, params: types, variadic: false, prototype: false }).ty;
        Ok(Head { ty, params, tags: Vec::new(), idents: Vec::new() })
    }

    /// What the default argument promotions make of a parameter's type.
    fn promoted_parameter(&mut self, ty: TypeId) -> TypeId {
        match self.types[ty] {
            Type::Float(FloatKind::Float) => self.common.double,
            Type::Bool => self.common.int,
            _ => match self.types.int_kind(ty) {
                Some(kind) if kind.promoted() != kind => self.common.int,
                _ => ty,
            },
        }
    }

    fn body(&mut self, definition: &ast::FunctionDef, head: Head, id: FunctionId, keep: bool) -> Result<()> {
        let span = definition.declarator.span;
        self.idents.push();
        self.tags.push();
        let mut statements = Vec::with_capacity(definition.body.len());
        let old_style = self.types.function(head.ty).is_some_and(|function| !function.prototype);
        let params = self.enter_parameters(&head, old_style, &mut statements);
        self.flush_vlas(span, &mut statements);
        self.block_items(&definition.body, &mut statements)?;
        self.check_labels()?;
        self.check_jumps()?;
        self.tags.pop();
        self.idents.pop();
        let state = self.current.take().expect("the state was set above");
        if !keep {
            return Ok(());
        }
        let function = &mut self.functions[id];
        function.ty = head.ty;
        function.params = params;
        function.locals = state.locals;
        function.labels = state.labels;
        function.vlas = state.vlas;
        function.body = Some(statements);
        function.span = span;
        function.end = definition.end;
        Ok(())
    }

    /// Binds the parameters. Old-style ones arrive promoted and are converted first thing.
    fn enter_parameters(&mut self, head: &Head, old_style: bool, out: &mut Vec<Statement>) -> Vec<LocalId> {
        for &(name, tag, span) in &head.tags {
            self.tags.bind(name, tag, span);
        }
        for &(name, entity, span) in &head.idents {
            self.idents.bind(name, entity, span);
        }
        let mut params = Vec::with_capacity(head.params.len());
        for (index, info) in head.params.iter().enumerate() {
            let local = LocalId(index as u32);
            let promoted = self.promoted_parameter(info.ty.ty);
            if !old_style || promoted == info.ty.ty {
                params.push(local);
                continue;
            }
            let arrived = self.new_local(None, QualType::plain(promoted), info.span);
            params.push(arrived);
            out.push(self.convert_parameter(local, arrived, info, promoted));
        }
        params
    }

    fn convert_parameter(&mut self, local: LocalId, arrived: LocalId, info: &ParamInfo, ty: TypeId) -> Statement {
        let place = Place { kind: PlaceKind::Local(arrived), ty: QualType::plain(ty), span: info.span };
        let value = Expr { kind: ExprKind::Load(Box::new(place)), ty, span: info.span };
        let value = self.convert(value, info.ty.ty);
        let part =
            InitPart { offset: 0, ty: info.ty, bits: None, repeat: Box::default(), value: InitValue::Value(value) };
        let init = Init { zero: false, parts: vec![part] };
        Statement { kind: StatementKind::Declare(local, Some(init)), span: info.span }
    }

    fn check_labels(&mut self) -> Result<()> {
        let state = self.state();
        let missing = state.label_names.values().filter(|entry| !entry.defined).map(|entry| entry.id).min();
        if let Some(id) = missing {
            let (name, span) = (state.labels[id].name, state.labels[id].span);
            return error(span, format!("label ‘{}’ is used but not defined", self.name(name)));
        }
        Ok(())
    }
}
