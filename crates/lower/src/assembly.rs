//! Inline assembly. An empty template is a barrier for the compiler and leaves in an output the input that is passed in
//! its place; so do the instructions that only
//! order memory. Any other leaves arbitrary values in its outputs.

use c_front::typed::Asm;
use program::{AssumptionKind, Direction, Input, Scalar};

use crate::function::FunctionLowerer;

impl FunctionLowerer<'_, '_> {
    pub fn assembly(&mut self, asm: &Asm) {
        let inputs: Vec<_> = asm
            .inputs
            .iter()
            .map(|input| {
                let is_scalar = self.unit.types.scalar(input.ty).is_some();
                if !is_scalar {
                    self.effect(input);
                }
                let value = is_scalar.then(|| self.value(input))?;
                // The first output may be what the second one's input reads.
                let value = if asm.outputs.len() > 1 { self.save(value) } else { value };
                Some((value, input.ty))
            })
            .collect();
        let harmless = is_harmless(&asm.template);
        if !harmless {
            let subject = shorten(&asm.template);
            self.assume(AssumptionKind::Assembly, Direction::Over, &subject, "its outputs are arbitrary");
            if asm.clobbers_memory {
                let text = "memory beyond its operands is unchanged";
                self.assume(AssumptionKind::Assembly, Direction::Under, &subject, text);
            }
        }
        for (index, (place, read)) in asm.outputs.iter().zip(&asm.read_outputs).enumerate() {
            if self.unit.types.scalar(place.ty.ty).is_none() || (harmless && *read) {
                continue;
            }
            let target = self.target(place);
            let tied = asm.ties.iter().position(|tie| *tie == Some(index)).and_then(|input| inputs[input]);
            let value = match tied {
                Some((value, ty)) if harmless => self.convert_c(value, ty, place.ty.ty),
                _ => self.arbitrary_of(place.ty.ty, Input::Imprecise),
            };
            self.write(&target, value, place.ty.ty);
        }
        for label in &asm.labels {
            let (jumps, stays) = (self.b.location(), self.b.location());
            let choice = self.arbitrary(Scalar::BOOL, Input::Imprecise);
            self.branch_on(choice, jumps, stays);
            let jump = crate::function::Jump { from: jumps, scopes: self.open.clone(), label: *label, span: self.span };
            self.jumps.push(jump);
            self.at = stays;
        }
    }
}

/// Nothing but instructions that order memory or waste time.
fn is_harmless(template: &str) -> bool {
    const NO_EFFECT: [&str; 9] = ["", "nop", "pause", "mfence", "lfence", "sfence", "rep", "lock", "addl $0,0(%%esp)"];
    template
        .split(['\n', ';', '\t'])
        .map(|line| line.trim().trim_end_matches('\\'))
        .all(|line| line.starts_with('#') || NO_EFFECT.contains(&line) || line == "rep nop")
}

fn shorten(template: &str) -> String {
    let line: String = template.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(40) {
        Some((end, _)) => format!("asm \"{}…\"", &line[..end]),
        None => format!("asm \"{line}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_have_no_effect() {
        assert!(is_harmless(""));
        assert!(is_harmless("mfence"));
        assert!(is_harmless("rep; nop"));
        assert!(!is_harmless("lock; xaddl %0, %1"));
        assert!(!is_harmless("incl %0"));
    }

    #[test]
    fn long_templates_are_shortened() {
        assert_eq!(shorten("a\n\tb"), "asm \"a b\"");
        assert!(shorten(&"x".repeat(100)).ends_with("…\""));
    }
}
