//! Globals that a thread has privatised: while a guard keeps all others from a global, the thread keeps its contents in its own state and
//! updates them strongly; they are joined to what is shared when the guard ends (privatisation: Vojdani et al., ASE 2016; Schwarz et al.,
//! SAS 2021). Of globals that only rise, the value that was seen last is a lower bound from then on.

use program::Scalar;

use super::Step;
use crate::offsets::Offsets;
use crate::tables::{AbstractObject, Base, Phase};
use crate::value::{Symbol, Term, Value};

/// More privatised globals of one thread cost more than they are worth.
const MOST_PRIVATISED: usize = 24;

/// More that a thread has seen, too: whatever it has seen is taken along to all that follows.
const MOST_SEEN: usize = 8;

impl Step<'_, '_> {
    /// A global that is guarded and only rises is a counter, or tells how far the program is. Who makes it rise from a number that it
    /// has in a variable is the only one to have that number, if that is what is written: the variable, and by how much it rises.
    pub(super) fn rise(&mut self, base: Base, at: Offsets, ty: Scalar, value: &Value) -> Option<(u32, i64)> {
        let AbstractObject::Global(global) = self.analysis.tables.abstract_object(base) else { return None };
        if self.state.phase == Phase::Before {
            return None;
        }
        // Of a part nothing is known that is true of the whole.
        let whole = self.program().types.scalar(self.program().globals[global].ty);
        if whole.is_none_or(|whole| whole.bits() != ty.bits()) {
            self.analysis.note_falling(base);
            return None;
        }
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let old = match self.state.memory.get(base.0) {
            Some(contents) if at == Offsets::ZERO => contents.read(tables, program, at, ty),
            _ => {
                self.analysis.note_falling(base);
                return None;
            }
        };
        let (Some(before), Some(after)) = (old.as_range(), value.as_range()) else {
            self.analysis.note_falling(base);
            return None;
        };
        let plain = |term: Option<Term>| term.filter(|term| term.base.is_none() && term.coefficient == 1);
        let step = match (plain(old.term), plain(value.term)) {
            (Some(from), Some(to)) if from.symbol == to.symbol => {
                to.offset.zip(from.offset).and_then(|(to, from)| to.checked_sub(from))
            }
            _ => None,
        };
        if step.is_none_or(|step| step < 0) && after.min_signed() < before.max_signed() {
            self.analysis.note_falling(base);
            return None;
        }
        match (step, old.term.and_then(Term::as_symbol)) {
            (Some(step @ 1..), Some(Symbol::Variable(variable))) => Some((variable, step)),
            _ => None,
        }
    }

    /// Privatises a global, if no other thread can access it.
    pub(super) fn privatise(&mut self, base: Base, write: bool) {
        let abstract_thread = self.abstract_thread();
        if self.analysis.touch_guarded(base, abstract_thread, &self.state, write)
            && self.state.memory.get(base.0).is_none()
            && self.state.privatised.len() < MOST_PRIVATISED
            && let Some(contents) = self.analysis.shared_contents(base)
        {
            self.state.memory.insert(base.0, contents);
            self.state.privatised.insert(base.0, ());
        }
    }

    /// Gives back what is no longer protected from others.
    pub fn give_back_unguarded(&mut self) {
        let abstract_thread = self.abstract_thread();
        self.give_back(|step, base| step.analysis.is_guarded(base, abstract_thread, &step.state));
    }

    /// How high a global is when the thread gives it back.
    pub(super) fn see(&mut self, base: Base) {
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let AbstractObject::Global(global) = tables.abstract_object(base) else { return };
        let ty = program.types.scalar(program.globals[global].ty);
        let (Some(ty), Some(contents)) = (ty, self.state.memory.get(base.0)) else { return };
        if let Some(range) = contents.read(tables, program, Offsets::ZERO, ty).as_range() {
            let least = range.min_signed();
            if self.state.seen.len() >= MOST_SEEN && !self.state.seen.contains(base.0) {
                return;
            }
            let most = self.state.seen.get(base.0).map_or(least, |seen| least.max(*seen));
            self.state.seen.insert(base.0, most);
        }
    }

    /// While a thread waits in an atomic section, others run.
    pub fn wait_in_section(&mut self) {
        let sections = std::mem::take(&mut self.state.sections);
        self.give_back_unguarded();
        self.state.sections = sections;
    }

    /// Gives back all but what may be kept.
    pub fn give_back(&mut self, keep: impl Fn(&Self, Base) -> bool) {
        let gone: Vec<Base> =
            self.state.privatised.iter().map(|(base, ())| Base(base)).filter(|base| !keep(self, *base)).collect();
        for base in gone {
            self.see(base);
            self.state.privatised.remove(base.0);
            self.share_all(vec![base]);
        }
    }
}
