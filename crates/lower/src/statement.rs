//! Statements, scopes and jumps. A local in memory is a new object from the entry to its block until the block is left, by
//! whatever path; jumps into and out of blocks begin and end the objects of these.

use base::Span;
use c_front::typed::{Expr, Init, LabelId, LocalId, Statement, StatementKind};
use program::{
    Allocate, Allocation, BinaryOp, Callee, ErrorKind, ExprId, Input, LocalKind, Location, Op, Storage, ThreadOp,
};

use crate::fold::Fold;
use crate::function::{FunctionLowerer, Jump, Scope, Slot};
use crate::scan::{as_call, is_simple};

/// A `switch` whose body is being lowered.
#[derive(Default)]
pub struct Switch {
    cases: Vec<(u128, u128, Location, Vec<u32>)>,
    default: Option<(Location, Vec<u32>)>,
}

/// Where `break` and `continue` lead, and how many scopes are open there.
pub struct Breakable {
    breaks: Location,
    continues: Option<Location>,
    depth: usize,
}

impl FunctionLowerer<'_, '_> {
    pub fn statement(&mut self, s: &Statement) {
        let outer = std::mem::replace(&mut self.span, s.span);
        self.statement_inner(s);
        self.span = outer;
    }

    fn statement_inner(&mut self, s: &Statement) {
        match &s.kind {
            StatementKind::Empty => {}
            StatementKind::Expr(e) => self.full_expression(|f| f.effect(e)),
            StatementKind::Block(statements, end) => self.block(statements, *end),
            StatementKind::Declare(local, init) => self.declare(*local, init.as_ref()),
            StatementKind::Vla(vla) => self.full_expression(|f| f.fix_length(*vla)),
            StatementKind::If { condition, then, otherwise } => {
                self.if_statement(condition, then, otherwise.as_deref())
            }
            StatementKind::Switch { value, body } => self.switch(value, body),
            StatementKind::Case { low, high, statement } => {
                let location = self.labelled_location();
                let scopes = self.open.clone();
                if let Some(switch) = self.switches.last_mut() {
                    switch.cases.push((*low, *high, location, scopes));
                }
                self.statement(statement);
            }
            StatementKind::Default(statement) => {
                let location = self.labelled_location();
                let scopes = self.open.clone();
                if let Some(switch) = self.switches.last_mut() {
                    switch.default = Some((location, scopes));
                }
                self.statement(statement);
            }
            StatementKind::While { condition, body } => self.while_loop(condition, body),
            StatementKind::DoWhile { body, condition } => self.do_while(body, condition),
            StatementKind::For { init, condition, step, body } => {
                self.for_loop(init, condition.as_ref(), step.as_ref(), body);
            }
            StatementKind::Label(label, statement) => self.label(*label, statement),
            StatementKind::Goto(label) => {
                let jump = Jump { from: self.at, scopes: self.open.clone(), label: *label, span: self.span };
                self.jumps.push(jump);
                self.at = self.b.location();
            }
            StatementKind::GotoComputed(target) => {
                let value = self.full_expression(|f| f.value(target));
                self.computed.push((self.at, self.open.clone(), value, self.span));
                self.at = self.b.location();
            }
            StatementKind::Continue => {
                let target = self.breakables.iter().rev().find_map(|b| b.continues.map(|to| (to, b.depth)));
                self.leave_to(target);
            }
            StatementKind::Break => {
                let target = self.breakables.last().map(|b| (b.breaks, b.depth));
                self.leave_to(target);
            }
            StatementKind::Return(value) => self.return_statement(value.as_ref()),
            StatementKind::Asm(asm) => self.full_expression(|f| f.assembly(asm)),
            StatementKind::Assert(condition) => self.full_expression(|f| f.annotation(condition)),
        }
    }

    /// An annotation is about one state: no thread runs while it is evaluated.
    fn annotation(&mut self, condition: &Expr) {
        let (yes, no) = (self.b.location(), self.b.location());
        let looks_at_memory = !is_simple(self, condition);
        if looks_at_memory {
            self.emit(Op::AtomicBegin);
        }
        self.branch(condition, yes, no);
        self.at = no;
        self.emit_to(Op::Error(ErrorKind::Assert), yes);
        self.at = yes;
        if looks_at_memory {
            self.emit(Op::AtomicEnd);
        }
    }

    // Scopes.

    fn block(&mut self, statements: &[Statement], end: Span) {
        self.open_scope(declared(statements));
        for s in statements {
            self.statement(s);
        }
        self.span = end;
        self.close_scope();
    }

    /// A GNU statement expression: `last` takes its value within the scope.
    pub fn statement_expression(
        &mut self,
        body: &[Statement],
        last: Option<&Expr>,
        end: Span,
        value: impl FnOnce(&mut Self, Option<&Expr>),
    ) {
        self.open_scope(declared(body));
        for s in body {
            self.statement(s);
        }
        value(self, last);
        let outer = std::mem::replace(&mut self.span, end);
        self.close_scope();
        self.span = outer;
    }

    pub fn open_scope(&mut self, locals: Vec<LocalId>) {
        for &local in &locals {
            if let Slot::Memory(memory) = self.slot(local)
                && !self.is_variable(local)
            {
                self.emit(Op::Enter(memory));
            }
        }
        self.open.push(self.scopes.len() as u32);
        self.scopes.push(Scope { locals, temporaries: Vec::new() });
    }

    pub fn close_scope(&mut self) {
        let scope = *self.open.last().expect("every scope is opened before it is closed");
        self.leave_scope(scope);
        self.open.pop();
    }

    /// Ends the objects of one scope, newest first, after their clean-up functions.
    fn leave_scope(&mut self, scope: u32) {
        self.run_cleanups(scope);
        for i in (0..self.scopes[scope as usize].temporaries.len()).rev() {
            let temporary = self.scopes[scope as usize].temporaries[i];
            self.emit(Op::Leave(temporary));
        }
        for i in (0..self.scopes[scope as usize].locals.len()).rev() {
            let local = self.scopes[scope as usize].locals[i];
            match self.slot(local) {
                Slot::Memory(memory) => self.emit(Op::Leave(memory)),
                // What it points to may be lost now; where the frame ends all its locals do.
                Slot::Plain(plain) if self.is_pointer(plain) && self.is_nested(scope) => {
                    self.emit(Op::Havoc(plain, Input::Uninitialised));
                }
                _ => {}
            }
        }
    }

    fn is_pointer(&self, plain: program::LocalId) -> bool {
        matches!(self.b.locals[plain].storage, Storage::Plain(program::Scalar::Pointer(_)))
    }

    /// Is a scope inside the function's body?
    fn is_nested(&self, scope: u32) -> bool {
        self.open.iter().position(|open| *open == scope).is_none_or(|depth| depth > 0)
    }

    /// `__attribute__((cleanup(f)))`
    fn run_cleanups(&mut self, scope: u32) {
        for i in (0..self.scopes[scope as usize].locals.len()).rev() {
            let local = self.scopes[scope as usize].locals[i];
            let Some(function) = self.typed.locals[local].cleanup else { continue };
            let Slot::Memory(memory) = self.slot(local) else { continue };
            let callee = Callee::Direct(self.unit.function(function));
            let address = self.local_address(memory);
            self.call(callee, vec![address], None);
        }
    }

    fn leave_to(&mut self, target: Option<(Location, usize)>) {
        let Some((to, depth)) = target else { return };
        for i in (depth..self.open.len()).rev() {
            self.leave_scope(self.open[i]);
        }
        self.jump(to);
    }

    /// Control is here; it passes from the scopes `from` to the scopes `to`.
    fn change_scopes(&mut self, from: &[u32], to: &[u32]) {
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        for &scope in from[common..].iter().rev() {
            self.leave_scope(scope);
        }
        for &scope in &to[common..] {
            for i in 0..self.scopes[scope as usize].locals.len() {
                let local = self.scopes[scope as usize].locals[i];
                match self.slot(local) {
                    Slot::Memory(memory) if !self.is_variable(local) => self.emit(Op::Enter(memory)),
                    Slot::Plain(plain) => self.emit(Op::Havoc(plain, Input::Uninitialised)),
                    _ => {}
                }
            }
        }
    }

    // Locals.

    /// How a local is represented, decided when it is first met.
    pub fn slot(&mut self, local: LocalId) -> Slot {
        if let Some(slot) = self.slots[local] {
            return slot;
        }
        let info = &self.typed.locals[local];
        let name = info.name.map_or("", |n| self.unit.names.resolve(n));
        let ty = self.unit.types.lower(info.ty.ty);
        let outer = std::mem::replace(&mut self.span, info.span);
        let slot = match self.unit.types.scalar(info.ty.ty) {
            Some(scalar) if !info.address_taken && info.cleanup.is_none() && info.name.is_some() => {
                Slot::Plain(self.new_local(name, ty, Storage::Plain(scalar), LocalKind::Named))
            }
            _ => Slot::Memory(self.new_local(name, ty, Storage::Memory, LocalKind::Named)),
        };
        self.span = outer;
        self.slots[local] = Some(slot);
        slot
    }

    fn is_variable(&self, local: LocalId) -> bool {
        self.unit.types.variable_size(self.typed.locals[local].ty.ty).is_some()
    }

    fn declare(&mut self, local: LocalId, init: Option<&Init>) {
        let slot = self.slot(local);
        if let Some(size) = self.unit.types.variable_size(self.typed.locals[local].ty.ty)
            && let Slot::Memory(memory) = slot
        {
            return self.full_expression(|f| {
                let (to, size) = (f.temp(f.pointer()), f.size(&size));
                let kind = Allocation::Variable(memory);
                f.emit(Op::Allocate(Box::new(Allocate { to, size, kind, align: 16 })));
            });
        }
        match (slot, init) {
            (_, Some(init)) => self.full_expression(|f| f.initialise(local, init)),
            (Slot::Plain(plain), None) => self.emit(Op::Havoc(plain, Input::Uninitialised)),
            // A jump may pass the declaration again.
            (Slot::Memory(memory), None) if !self.typed.labels.is_empty() => self.emit(Op::Enter(memory)),
            _ => {}
        }
    }

    /// The length of a variable-length array type is evaluated once, when control passes it.
    fn fix_length(&mut self, vla: c_front::types::VlaId) {
        let length = &self.typed.vlas[vla];
        let (word, signed) = (self.word(), self.unit.types.is_signed(length.ty));
        let value = self.value(length);
        let value = self.convert(value, signed, word, false);
        let local = match self.vlas[vla] {
            Some(local) => local,
            None => {
                let ty = self.unit.types.of_scalar(word);
                self.new_local("length", ty, Storage::Plain(word), LocalKind::Named)
            }
        };
        self.vlas[vla] = Some(local);
        self.take(local, value);
    }

    // Branches and loops.

    /// A location that control reaches from above and by jumps.
    fn labelled_location(&mut self) -> Location {
        let location = self.b.location();
        self.place_location(location);
        location
    }

    /// A condition as a branch, its temporaries free again behind it.
    fn condition(&mut self, condition: &Expr, yes: Location, no: Location) {
        self.full_expression(|f| f.branch(condition, yes, no));
    }

    fn if_statement(&mut self, condition: &Expr, then: &Statement, otherwise: Option<&Statement>) {
        let (yes, no, end) = (self.b.location(), self.b.location(), self.b.location());
        self.condition(condition, yes, no);
        self.at = yes;
        self.statement(then);
        self.jump(end);
        self.at = no;
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.place_location(end);
    }

    fn loop_body(&mut self, body: &Statement, breaks: Location, continues: Location) {
        self.breakables.push(Breakable { breaks, continues: Some(continues), depth: self.open.len() });
        self.statement(body);
        self.breakables.pop();
    }

    fn while_loop(&mut self, condition: &Expr, body: &Statement) {
        let (head, inside, end) = (self.b.location(), self.b.location(), self.b.location());
        self.place_location(head);
        self.condition(condition, inside, end);
        self.at = inside;
        self.loop_body(body, end, head);
        self.jump(head);
        self.at = end;
    }

    fn do_while(&mut self, body: &Statement, condition: &Expr) {
        let (head, test, end) = (self.b.location(), self.b.location(), self.b.location());
        self.place_location(head);
        self.loop_body(body, end, test);
        self.place_location(test);
        self.condition(condition, head, end);
        self.at = end;
    }

    fn for_loop(&mut self, init: &[Statement], condition: Option<&Expr>, step: Option<&Expr>, body: &Statement) {
        self.open_scope(declared(init));
        for s in init {
            self.statement(s);
        }
        let (head, inside, next, end) = (self.b.location(), self.b.location(), self.b.location(), self.b.location());
        self.place_location(head);
        match condition {
            Some(condition) => self.condition(condition, inside, end),
            None => self.jump(inside),
        }
        self.at = inside;
        self.loop_body(body, end, next);
        self.place_location(next);
        if let Some(step) = step {
            self.full_expression(|f| f.effect(step));
        }
        self.jump(head);
        self.at = end;
        self.close_scope();
    }

    fn switch(&mut self, value: &Expr, body: &Statement) {
        let signed = self.unit.types.is_signed(value.ty);
        let (dispatch, end) = (self.b.location(), self.b.location());
        let value = self.full_expression(|f| {
            let value = f.value(value);
            // The dispatch is lowered last, but runs first: nothing can change the value in between.
            f.jump(dispatch);
            value
        });
        self.switches.push(Switch::default());
        self.breakables.push(Breakable { breaks: end, continues: None, depth: self.open.len() });
        self.statement(body);
        self.breakables.pop();
        self.jump(end);
        self.at = dispatch;
        let switch = self.switches.pop().expect("pushed above");
        self.dispatch(value, signed, switch, end);
        self.at = end;
    }

    fn dispatch(&mut self, value: ExprId, signed: bool, switch: Switch, end: Location) {
        let here = self.open.clone();
        let start = self.at;
        let mut none = self.b.int(1, 1);
        let mut cases = Vec::new();
        for (low, high, location, scopes) in switch.cases {
            let hit = self.in_range(value, low, high, signed);
            match self.b.as_constant(hit) {
                Some(0) => {}
                // Cases are distinct, so this is the only one that a constant can take.
                Some(_) => {
                    self.change_scopes(&here, &scopes);
                    return self.jump(location);
                }
                None => cases.push((hit, location, scopes)),
            }
        }
        for (hit, location, scopes) in &cases {
            let hit = *hit;
            let miss = self.b.not(hit);
            none = self.b.binary(BinaryOp::And, none, miss);
            self.at = start;
            self.emit(Op::Assume(hit));
            self.change_scopes(&here, scopes);
            self.jump(*location);
        }
        self.at = start;
        if !cases.is_empty() {
            self.emit(Op::Assume(none));
        }
        match switch.default {
            Some((location, scopes)) => {
                self.change_scopes(&here, &scopes);
                self.jump(location);
            }
            None => self.jump(end),
        }
    }

    fn in_range(&mut self, value: ExprId, low: u128, high: u128, signed: bool) -> ExprId {
        let ty = self.b.ty(value);
        let (low, high) = (self.b.constant(ty, low), self.b.constant(ty, high));
        if low == high {
            return self.b.binary(BinaryOp::Eq, value, low);
        }
        let op = if signed { BinaryOp::SLe } else { BinaryOp::ULe };
        let (above, below) = (self.b.binary(op, low, value), self.b.binary(op, value, high));
        self.b.binary(BinaryOp::And, above, below)
    }

    // Labels and jumps.

    fn label(&mut self, label: LabelId, statement: &Statement) {
        let location = self.labelled_location();
        self.labels.insert(label, (location, self.open.clone()));
        let name = self.name_of(self.typed.labels[label].name);
        if name == "ERROR" {
            self.emit(Op::Error(ErrorKind::Label));
        }
        if name.starts_with("__CPROVER_ASYNC_") {
            self.asynchronous(statement);
        } else {
            self.statement(statement);
        }
    }

    /// Connects all jumps, now that every label is known.
    pub fn resolve_jumps(&mut self) {
        for jump in std::mem::take(&mut self.jumps) {
            self.at = jump.from;
            self.span = jump.span;
            if let Some((to, scopes)) = self.labels.get(&jump.label).cloned() {
                self.change_scopes(&jump.scopes, &scopes);
                self.jump(to);
            }
        }
        for (from, scopes, value, span) in std::mem::take(&mut self.computed) {
            self.span = span;
            self.resolve_computed(from, &scopes, value);
        }
    }

    fn resolve_computed(&mut self, from: Location, scopes: &[u32], value: ExprId) {
        let mut none = self.b.int(1, 1);
        for (label, info) in self.typed.labels.iter_enumerated() {
            let Some((to, target)) = self.labels.get(&label).cloned().filter(|_| info.address_taken) else { continue };
            let address = self.label_address(label);
            let hit = self.b.binary(BinaryOp::Eq, value, address);
            let miss = self.b.not(hit);
            none = self.b.binary(BinaryOp::And, none, miss);
            self.at = from;
            self.emit(Op::Assume(hit));
            self.change_scopes(scopes, &target);
            self.jump(to);
        }
        self.at = from;
        if self.b.as_constant(none).is_none() {
            self.emit(Op::Assume(none));
        }
        self.unsupported("goto to a value that is no label of this function");
    }

    fn return_statement(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            self.full_expression(|f| f.return_value(value));
        }
        for i in (0..self.open.len()).rev() {
            self.run_cleanups(self.open[i]);
        }
        self.jump(self.exit);
    }

    fn return_value(&mut self, value: &Expr) {
        match (self.result_pointer, self.b.result) {
            (Some(pointer), _) if self.unit.types.is_record(value.ty) => {
                let from = self.record_value(value);
                let to = self.b.local(pointer);
                self.copy(to, from, c_front::types::QualType::plain(value.ty));
            }
            (_, Some(result)) if self.unit.types.scalar(value.ty).is_some() => {
                let value = self.value(value);
                self.take(result, value);
            }
            _ => self.effect(value),
        }
    }

    /// `__CPROVER_ASYNC_n: statement`: a call runs in a thread of its own with arguments evaluated here; so does any other
    /// statement that uses no local.
    fn asynchronous(&mut self, statement: &Statement) {
        let entry = match &statement.kind {
            StatementKind::Expr(e) if as_call(e).is_some_and(|(_, args)| !args.is_empty()) => {
                return self.full_expression(|f| f.asynchronous_call(e));
            }
            _ => self.outline(statement),
        };
        let Some(entry) = entry else { return self.unsupported("asynchronous statement that uses local variables") };
        self.full_expression(|f| {
            let pointer = f.pointer();
            let entry = f.b.expr(program::ExprKind::FunctionAddress(entry), pointer);
            let arg = f.b.null(pointer);
            f.start_thread(entry, arg);
        });
    }

    /// Starts a detached thread whose handle no thread has.
    pub fn start_thread(&mut self, entry: ExprId, arg: ExprId) {
        let word = self.word();
        let ty = self.unit.types.of_scalar(word);
        let handle = self.temporary_object(ty);
        let handle = self.local_address(handle);
        let handle = self.access(handle, word);
        let detached = self.b.int(1, 1);
        let to = self.temp(program::Scalar::Int(32));
        self.emit(Op::Thread(Box::new(ThreadOp::Create { handle, entry, arg, detached, to })));
    }
}

/// The locals that a list of statements declares itself.
pub fn declared(statements: &[Statement]) -> Vec<LocalId> {
    let mut locals = Vec::new();
    for s in statements {
        let mut s = s;
        // A label may precede a declaration.
        while let StatementKind::Label(_, inner)
        | StatementKind::Case { statement: inner, .. }
        | StatementKind::Default(inner) = &s.kind
        {
            s = inner;
        }
        if let StatementKind::Declare(local, _) = &s.kind {
            locals.push(*local);
        }
    }
    locals
}
