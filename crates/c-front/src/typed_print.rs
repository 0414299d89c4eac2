//! The typed tree as indented text, one node a line, the type behind each expression. Made to be read, and to be
//! compared by tests; not made to be read back.

mod expression;
mod statement;

use std::fmt::Write;

use base::{Interner, Symbol};

use crate::typed::{
    AddressBase, Constant, Function, FunctionId, InitPart, InitValue, LocalId, Object, ObjectId, Size, StringId, Unit,
};
use crate::types::{FloatKind, QualType, TypeId};
use crate::types_print::{declare, print_plain, print_type};

/// The whole program.
pub fn print_unit(unit: &Unit, names: &Interner) -> String {
    let mut printer = Printer { unit, names, function: None, out: String::new(), depth: 0 };
    for id in unit.objects.ids() {
        printer.object(id);
    }
    for id in unit.functions.ids() {
        printer.function(id);
    }
    printer.out
}

/// One function, for messages and tests.
pub fn print_function(unit: &Unit, names: &Interner, id: FunctionId) -> String {
    let mut printer = Printer { unit, names, function: None, out: String::new(), depth: 0 };
    printer.function(id);
    printer.out
}

struct Printer<'u> {
    unit: &'u Unit,
    names: &'u Interner,
    /// The function whose locals and labels are named.
    function: Option<&'u Function>,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn nested(&mut self, print: impl FnOnce(&mut Self)) {
        self.depth += 1;
        print(self);
        self.depth -= 1;
    }

    fn name(&self, symbol: Symbol) -> &str {
        self.names.resolve(symbol)
    }

    fn ty(&self, ty: TypeId) -> String {
        print_plain(&self.unit.types, self.names, ty)
    }

    fn qual(&self, ty: QualType) -> String {
        print_type(&self.unit.types, self.names, ty)
    }

    fn object_name(&self, id: ObjectId) -> &str {
        self.name(self.unit.objects[id].name)
    }

    fn function_name(&self, id: FunctionId) -> &str {
        self.name(self.unit.functions[id].name)
    }

    fn local_name(&self, id: LocalId) -> String {
        let local = self.function.and_then(|function| function.locals.get(id));
        match local.and_then(|local| local.name) {
            Some(name) => format!("{id} '{}'", self.name(name)),
            None => id.to_string(),
        }
    }

    fn object(&mut self, id: ObjectId) {
        let object: &Object = &self.unit.objects[id];
        let declared = declare(&self.unit.types, self.names, object.ty, self.name(object.name).to_owned());
        let mut text = format!("object {id}: {declared}");
        if object.thread_local {
            text += ", thread-local";
        }
        if !object.defined {
            text += ", not defined";
        }
        if object.address_taken {
            text += ", address taken";
        }
        if let Some(align) = object.align {
            write!(text, ", aligned to {align}").expect("writing to a string");
        }
        self.line(&text);
        self.nested(|printer| {
            for part in object.init.iter().flat_map(|init| &init.parts) {
                let what = match &part.value {
                    InitValue::Value(value) => printer.constant(*value, part.ty.ty),
                    InitValue::String(id, length) => format!("{length} units of {}", printer.string(*id)),
                };
                let place = printer.part_place(part);
                printer.line(&format!("{place} = {what}"));
            }
        });
    }

    /// `at 8: int`, with bits and repetition.
    fn part_place<V>(&self, part: &InitPart<V>) -> String {
        let mut text = format!("at {}", part.offset);
        if let Some(bits) = part.bits {
            write!(text, " bits {}+{}", bits.start, bits.width).expect("writing to a string");
        }
        for (count, stride) in &part.repeat {
            write!(text, " {count} times each {stride}").expect("writing to a string");
        }
        write!(text, ": {}", self.qual(part.ty)).expect("writing to a string");
        text
    }

    fn function(&mut self, id: FunctionId) {
        let function = &self.unit.functions[id];
        let ty = QualType::plain(function.ty);
        let declared = declare(&self.unit.types, self.names, ty, self.name(function.name).to_owned());
        let mut text = format!("function {id}: {declared}");
        let flags = [
            (function.attributes.noreturn, "noreturn"),
            (function.attributes.constructor, "constructor"),
            (function.attributes.destructor, "destructor"),
            (function.attributes.weak, "weak"),
            (function.body.is_none(), "no body"),
        ];
        for (_, flag) in flags.iter().filter(|(set, _)| *set) {
            write!(text, ", {flag}").expect("writing to a string");
        }
        self.line(&text);
        self.function = Some(&self.unit.functions[id]);
        self.nested(|printer| printer.function_inside(id));
        self.function = None;
    }

    fn function_inside(&mut self, id: FunctionId) {
        let function = &self.unit.functions[id];
        for (local, data) in function.locals.iter_enumerated() {
            let role = if function.params.contains(&local) { "parameter" } else { "local" };
            let taken = if data.address_taken { ", address taken" } else { "" };
            let text = format!("{role} {}: {}{taken}", self.local_name(local), self.qual(data.ty));
            self.line(&text);
        }
        for (vla, length) in function.vlas.iter_enumerated() {
            self.line(&format!("length {vla}"));
            self.nested(|printer| printer.expr(length));
        }
        for statement in function.body.iter().flatten() {
            self.statement(statement);
        }
    }

    fn string(&self, id: StringId) -> String {
        let units = &self.unit.strings[id].units;
        let text: String = units[..units.len() - 1].iter().map(|&unit| char::from_u32(unit).unwrap_or('?')).collect();
        format!("{text:?}")
    }

    fn constant(&self, value: Constant, ty: TypeId) -> String {
        let types = &self.unit.types;
        match value {
            Constant::Int(value) => match types.int_bits(ty) {
                Some(bits) if types.is_signed(ty) => crate::type_query::sign_extend(value, bits).to_string(),
                _ => value.to_string(),
            },
            Constant::Float(bits) => match types.float_kind(ty) {
                Some(FloatKind::Float) => f32::from_bits(bits as u32).to_string(),
                Some(FloatKind::Double) => f64::from_bits(bits as u64).to_string(),
                _ => format!("float bits {bits:#x}"),
            },
            Constant::Address { base, offset } => {
                let base = match base {
                    AddressBase::Object(id) => self.object_name(id).to_owned(),
                    AddressBase::Function(id) => self.function_name(id).to_owned(),
                    AddressBase::String(id) => self.string(id),
                    AddressBase::Label(function, label) => format!("&&{label} of {}", self.function_name(function)),
                };
                if offset == 0 { format!("&{base}") } else { format!("&{base} {offset:+}") }
            }
        }
    }

    fn size(&self, size: &Size) -> String {
        let mut text = size.bytes.to_string();
        for id in &size.times {
            write!(text, " * {id}").expect("writing to a string");
        }
        text
    }
}
