//! Escape: what a thread made becomes reachable for others, with all that it leads to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Step;
use crate::contents::Contents;
use crate::tables::{AbstractObject, Base, Role};
use crate::value::Value;

impl Step<'_, '_> {
    /// Everything that the value leads to becomes reachable for others.
    pub fn share(&mut self, value: &Value) -> BTreeMap<Base, Base> {
        let roots = value.pointers.iter().map(|(base, _)| *base).collect();
        self.share_all(roots)
    }

    /// The objects and all that they lead to, if they are the thread's own, get the names under which others know them.
    pub fn share_all(&mut self, mut pending: Vec<Base>) -> BTreeMap<Base, Base> {
        let mut found: BTreeMap<Base, Arc<Contents>> = BTreeMap::new();
        while let Some(base) = pending.pop() {
            if found.contains_key(&base) || self.is_hidden(base) {
                continue;
            }
            let Some(contents) = self.state.memory.get(base.0) else { continue };
            pending.extend(contents.values().flat_map(|value| value.pointers.iter().map(|(base, _)| *base)));
            pending.extend(contents.initial_pointers(&self.analysis.tables, self.analysis.program));
            found.insert(base, contents.clone());
        }
        let tables = &self.analysis.tables;
        let names: BTreeMap<Base, Base> = found
            .keys()
            .filter(|base| tables.abstract_object(**base).role().is_some())
            .map(|base| (*base, tables.as_role(*base, Role::Shared)))
            .collect();
        for base in found.keys() {
            self.state.memory.remove(base.0);
            self.state.privatised.remove(base.0);
            if tables.abstract_object(*base).role() == Some(Role::Own) {
                self.state.shared_locals.insert(base.0, ());
            }
        }
        if !names.is_empty() {
            self.state.rename(&names, tables, self.analysis.program);
        }
        for (base, contents) in found {
            let name = names.get(&base).copied().unwrap_or(base);
            let contents = contents.renamed(&names).map_or(contents, Arc::new);
            self.analysis.publish(name, &contents);
        }
        names
    }

    /// No pointer leads there.
    fn is_hidden(&self, base: Base) -> bool {
        matches!(self.analysis.tables.abstract_object(base), AbstractObject::Keys(_) | AbstractObject::Handlers(_))
    }
}
