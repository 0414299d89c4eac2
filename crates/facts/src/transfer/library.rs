//! Library functions that print, and functions without a body that overwrite what they are handed.

use program::{ExprId, GlobalInit, Library, LibraryCall, Overwrite, Scalar};

use super::{BYTE, Step, elements, everywhere};
use crate::eval::plain_type;
use crate::exposure::Exposure;
use crate::offsets::Offsets;
use crate::tables::{AbstractObject, Base};
use crate::value::Value;

impl Step<'_, '_> {
    /// Each number may have been written, or not.
    pub fn overwrite(&mut self, overwrite: &Overwrite) -> Option<()> {
        let address = self.value(overwrite.address)?;
        if !self.functions_of(&address).is_empty() {
            self.analysis.meet_unsupported("a call by a function without a body of a function behind a data pointer");
        }
        let elements = if overwrite.all { elements(address, overwrite.size) } else { address };
        for numbers in &overwrite.numbers {
            let first = Offsets::constant(numbers.offset as i64);
            let inner = Offsets::steps((numbers.count - 1) as i64 * numbers.stride as i64, numbers.stride);
            let ty = Scalar::Int(numbers.bytes as u8 * 8);
            self.write(&elements.clone().moved(first.plus(inner)), numbers.bytes, ty, &Value::top(ty), true);
        }
        Some(())
    }

    pub fn library(&mut self, call: &LibraryCall) -> Option<()> {
        let template = match call.function {
            Library::Print | Library::PrintList => Some(0),
            Library::PrintTo | Library::PrintListTo => Some(1),
            Library::Format | Library::FormatList => Some(2),
            Library::PutChar | Library::PutLine => None,
        };
        if let Some(template) = template {
            let template = self.value(call.args[template])?;
            if self.may_convert(&template, b'n') {
                self.analysis.meet_unsupported("a format that may store a count");
            }
            if self.may_convert(&template, b'p') {
                self.look_at_arguments(&call.args);
            }
        }
        if let Library::Format | Library::FormatList = call.function {
            let buffer = self.value(call.args[0])?;
            self.write(&everywhere(&buffer), 1, BYTE, &Value::top(BYTE), true);
        }
        if let Library::PrintList | Library::PrintListTo | Library::FormatList = call.function {
            let list = self.value(*call.args.last()?)?;
            let word = Scalar::Pointer(self.program().machine.pointer_bytes() as u8);
            let next = everywhere(&self.read(&list, word)?);
            self.write(&list, word.bytes(), word, &next, true)?;
        }
        if let Some(to) = call.to {
            let ty = plain_type(self.function(), to);
            self.assign(to, Value::top(ty));
        }
        Some(())
    }

    /// What is printed of addresses may be read again.
    fn look_at_arguments(&mut self, args: &[ExprId]) {
        let mut printed = Exposure::default();
        for arg in args {
            if let Some(value) = self.value(*arg) {
                printed.add(&value);
            }
        }
        self.expose(&printed);
    }

    /// Is the format anything but a string that is known and has no such conversion?
    fn may_convert(&self, template: &Value, conversion: u8) -> bool {
        let text = |base: &Base| {
            let AbstractObject::Global(global) = self.analysis.tables.abstract_object(*base) else { return None };
            let global = &self.program().globals[global];
            match &global.init {
                GlobalInit::Image(image) if global.read_only => Some(&image.bytes),
                _ => None,
            }
        };
        template.pointers.iter().any(|(base, _)| text(base).is_none_or(|text| converts(text, conversion)))
    }
}

fn converts(text: &[u8], conversion: u8) -> bool {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[at + 1..];
        let end = rest.iter().position(|byte| !b"0123456789-+ #.*'hljztqL$I".contains(byte)).unwrap_or(rest.len());
        match rest.get(end) {
            Some(found) if *found == conversion => return true,
            Some(b'%') => rest = &rest[end + 1..],
            _ => rest = &rest[end..],
        }
    }
    false
}
