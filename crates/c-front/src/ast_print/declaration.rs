//! Declarations, specifiers and declarators.

use std::io;

use super::Printer;
use crate::ast::{
    AlignAs, ArraySize, Asm, Attribute, AttributeArg, DeclSpecs, Declaration, Declarator, Derived, EnumSpec, FieldDecl,
    FunctionDef, InitItem, Initializer, Member, Param, Quals, RecordKind, RecordSpec, StaticAssert, Storage, TypeName,
    TypeSpec,
};

impl Printer<'_> {
    pub(super) fn function(&mut self, function: &FunctionDef) -> io::Result<()> {
        let name = self.name_or(function.declarator.name, "");
        self.node(function.span, format_args!("function {name}"))?;
        self.below(|p| {
            p.specifiers(&function.specs)?;
            p.declarator(&function.declarator)?;
            function.kr_declarations.iter().try_for_each(|declaration| p.declaration(declaration))?;
            p.node(function.end, format_args!("body"))?;
            p.below(|p| p.block(&function.body))
        })
    }

    pub(super) fn declaration(&mut self, declaration: &Declaration) -> io::Result<()> {
        self.node(declaration.span, format_args!("declaration"))?;
        self.below(|p| {
            p.specifiers(&declaration.specs)?;
            declaration.declarators.iter().try_for_each(|item| {
                p.declarator(&item.declarator)?;
                p.below(|p| item.init.iter().try_for_each(|init| p.initializer(init)))
            })
        })
    }

    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) -> io::Result<()> {
        self.node(assertion.span, format_args!("static assertion"))?;
        self.below(|p| {
            p.expr(&assertion.condition)?;
            assertion.message.iter().try_for_each(|message| p.string(message))
        })
    }

    pub(super) fn asm(&mut self, asm: &Asm) -> io::Result<()> {
        let volatile = if asm.volatile { "volatile " } else { "" };
        self.node(asm.span, format_args!("{volatile}asm {}", super::expression::quoted(&asm.template)))?;
        self.below(|p| {
            for (role, operands) in [("output", &asm.outputs), ("input", &asm.inputs)] {
                for operand in operands {
                    let constraint = super::expression::quoted(&operand.constraint);
                    p.node(operand.constraint.span, format_args!("{role} {constraint}"))?;
                    p.below(|p| p.expr(&operand.value))?;
                }
            }
            for clobber in &asm.clobbers {
                p.node(clobber.span, format_args!("clobber {}", super::expression::quoted(clobber)))?;
            }
            for label in &asm.labels {
                p.node(asm.span, format_args!("label {}", p.name(*label)))?;
            }
            Ok(())
        })
    }

    fn specifiers(&mut self, specs: &DeclSpecs) -> io::Result<()> {
        let mut words = Vec::new();
        let storage = match specs.storage {
            Storage::None => "",
            Storage::Typedef => "typedef",
            Storage::Extern => "extern",
            Storage::Static => "static",
            Storage::Auto => "auto",
            Storage::Register => "register",
        };
        words.push(storage.to_owned());
        let flags = [(specs.thread_local, "_Thread_local"), (specs.inline, "inline"), (specs.noreturn, "_Noreturn")];
        words.extend(flags.iter().filter(|(set, _)| *set).map(|(_, word)| (*word).to_owned()));
        words.push(format!("{:?}", specs.quals));
        words.push(self.type_text(&specs.ty));
        words.retain(|word| !word.is_empty());
        self.node(specs.span, format_args!("specifiers {}", words.join(" ")))?;
        self.below(|p| {
            p.type_parts(&specs.ty)?;
            p.attributes(&specs.attributes)?;
            specs.aligned.iter().try_for_each(|aligned| match aligned {
                AlignAs::Type(ty) => p.type_name(ty),
                AlignAs::Expr(expr) => p.expr(expr),
            })
        })
    }

    fn type_text(&self, ty: &TypeSpec) -> String {
        match ty {
            TypeSpec::Implicit => "(implicit int)".to_owned(),
            TypeSpec::Basic(basic) => format!("{basic:?}").to_lowercase(),
            TypeSpec::Record(record) => {
                format!("{} {}", record_word(record.kind), self.name_or(record.tag, "(anonymous)"))
            }
            TypeSpec::Enum(spec) => format!("enum {}", self.name_or(spec.tag, "(anonymous)")),
            TypeSpec::Typedef(name) => self.name(*name),
            TypeSpec::TypeofExpr(_) | TypeSpec::TypeofType(_) => "typeof".to_owned(),
            TypeSpec::Atomic(_) => "_Atomic()".to_owned(),
            TypeSpec::Auto => "__auto_type".to_owned(),
        }
    }

    fn type_parts(&mut self, ty: &TypeSpec) -> io::Result<()> {
        match ty {
            TypeSpec::Record(record) => self.record(record),
            TypeSpec::Enum(spec) => self.enumeration(spec),
            TypeSpec::TypeofExpr(expr) => self.expr(expr),
            TypeSpec::TypeofType(ty) | TypeSpec::Atomic(ty) => self.type_name(ty),
            TypeSpec::Implicit | TypeSpec::Basic(_) | TypeSpec::Typedef(_) | TypeSpec::Auto => Ok(()),
        }
    }

    fn record(&mut self, record: &RecordSpec) -> io::Result<()> {
        let Some(members) = &record.members else { return self.attributes(&record.attributes) };
        let tag = self.name_or(record.tag, "(anonymous)");
        let pack = record.pack.map_or_else(String::new, |pack| format!(" pack {pack}"));
        self.node(record.span, format_args!("{} {tag}{pack}", record_word(record.kind)))?;
        self.below(|p| {
            p.attributes(&record.attributes)?;
            members.iter().try_for_each(|member| match member {
                Member::Field(field) => p.field(field),
                Member::StaticAssert(assertion) => p.static_assert(assertion),
            })
        })
    }

    fn field(&mut self, field: &FieldDecl) -> io::Result<()> {
        self.node(field.span, format_args!("field"))?;
        self.below(|p| {
            p.specifiers(&field.specs)?;
            field.declarators.iter().try_for_each(|item| {
                p.declarator(&item.declarator)?;
                p.below(|p| match &item.bits {
                    Some(bits) => {
                        p.node(bits.span, format_args!("bits"))?;
                        p.below(|p| p.expr(bits))
                    }
                    None => Ok(()),
                })
            })
        })
    }

    fn enumeration(&mut self, spec: &EnumSpec) -> io::Result<()> {
        let Some(enumerators) = &spec.enumerators else { return self.attributes(&spec.attributes) };
        let tag = self.name_or(spec.tag, "(anonymous)");
        self.node(spec.span, format_args!("enum {tag}"))?;
        self.below(|p| {
            p.attributes(&spec.attributes)?;
            enumerators.iter().try_for_each(|item| {
                p.node(item.span, format_args!("enumerator {}", p.name(item.name)))?;
                p.below(|p| item.value.iter().try_for_each(|value| p.expr(value)))
            })
        })
    }

    fn declarator(&mut self, declarator: &Declarator) -> io::Result<()> {
        let name = self.name_or(declarator.name, "(abstract)");
        self.node(declarator.span, format_args!("declarator {name}"))?;
        self.below(|p| {
            declarator.derived.iter().try_for_each(|derived| p.derived(derived, declarator))?;
            p.attributes(&declarator.attributes)?;
            match &declarator.asm_label {
                Some(label) => p.node(label.span, format_args!("asm label {}", super::expression::quoted(label))),
                None => Ok(()),
            }
        })
    }

    fn derived(&mut self, derived: &Derived, declarator: &Declarator) -> io::Result<()> {
        let span = declarator.span;
        match derived {
            Derived::Pointer { quals, attributes } => {
                self.node(span, format_args!("pointer{}", suffix(*quals)))?;
                self.below(|p| p.attributes(attributes))
            }
            Derived::Array { quals, size } => {
                let star = if matches!(size, ArraySize::Star) { " *" } else { "" };
                self.node(span, format_args!("array{}{star}", suffix(*quals)))?;
                match size {
                    ArraySize::Expr(size) => self.below(|p| p.expr(size)),
                    ArraySize::None | ArraySize::Star => Ok(()),
                }
            }
            Derived::Function { params, variadic } => {
                let dots = if *variadic { " variadic" } else { "" };
                self.node(span, format_args!("function type{dots}"))?;
                self.below(|p| params.iter().try_for_each(|param| p.parameter(param)))
            }
            Derived::KrFunction { names } => {
                self.node(span, format_args!("old-style function type"))?;
                self.below(|p| {
                    names.iter().try_for_each(|(name, span)| p.node(*span, format_args!("name {}", p.name(*name))))
                })
            }
        }
    }

    fn parameter(&mut self, param: &Param) -> io::Result<()> {
        self.node(param.span, format_args!("parameter"))?;
        self.below(|p| {
            p.specifiers(&param.specs)?;
            p.declarator(&param.declarator)
        })
    }

    pub(super) fn type_name(&mut self, ty: &TypeName) -> io::Result<()> {
        self.node(ty.span, format_args!("type name"))?;
        self.below(|p| {
            p.specifiers(&ty.specs)?;
            p.declarator(&ty.declarator)
        })
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) -> io::Result<()> {
        attributes.iter().try_for_each(|attribute| {
            self.node(attribute.span, format_args!("attribute {}", self.name(attribute.name)))?;
            self.below(|p| {
                attribute.args.iter().try_for_each(|arg| match arg {
                    AttributeArg::Expr(expr) => p.expr(expr),
                    AttributeArg::Type(ty) => p.type_name(ty),
                    AttributeArg::Other => p.node(attribute.span, format_args!("other")),
                })
            })
        })
    }

    fn initializer(&mut self, init: &Initializer) -> io::Result<()> {
        match init {
            Initializer::Expr(expr) => self.expr(expr),
            Initializer::List { items, span } => {
                self.node(*span, format_args!("initializer list"))?;
                self.below(|p| p.items(items))
            }
        }
    }

    pub(super) fn items(&mut self, items: &[InitItem]) -> io::Result<()> {
        items.iter().try_for_each(|item| {
            self.designators(&item.designators)?;
            self.initializer(&item.value)
        })
    }
}

fn record_word(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

fn suffix(quals: Quals) -> String {
    if quals == Quals::NONE { String::new() } else { format!(" {quals:?}") }
}
