//! Abstract threads: the threads that one place of the program creates, by the call string of the creator. Threads that create threads at
//! the same place again are one abstract thread.

use program::{EdgeId, FunctionId, Program};

use super::{AbstractThread, CallString, Tables};

#[derive(Clone)]
pub struct AbstractThreadInfo {
    /// Where it is created; none for the first thread.
    pub created: Option<(CallString, EdgeId)>,
    pub entry: FunctionId,
    /// Its threads create threads.
    pub creates: bool,
    /// The abstract threads that create it; itself among them if it is recursive.
    pub parents: Vec<AbstractThread>,
    /// At most one such thread in the whole run of the program.
    pub once: bool,
    pub root: CallString,
}

impl Tables {
    /// The threads that are created there to run `entry`, if there are any.
    pub fn find_abstract_thread(&self, creator: CallString, edge: EdgeId, entry: FunctionId) -> Option<AbstractThread> {
        self.created.get(&(creator, edge, entry)).copied()
    }

    /// The threads that are created there to run `entry`.
    pub fn abstract_thread(
        &mut self,
        program: &Program,
        creator: CallString,
        edge: EdgeId,
        entry: FunctionId,
    ) -> Created {
        let key = (creator, edge, entry);
        if let Some(abstract_thread) = self.created.get(&key) {
            return Created::AbstractThread(*abstract_thread);
        }
        let place = (self.call_strings[creator].function, edge);
        let parent = self.call_strings[creator].abstract_thread;
        self.abstract_threads[parent].creates = true;
        if let Some(abstract_thread) = self.recursive_thread(creator, edge, entry) {
            if self.abstract_threads[abstract_thread].once {
                return Created::Repeated(place.0, place.1);
            }
            self.created.insert(key, abstract_thread);
            if !self.abstract_threads[abstract_thread].parents.contains(&parent) {
                self.abstract_threads[abstract_thread].parents.push(parent);
            }
            return Created::AbstractThread(abstract_thread);
        }
        let once = self.runs_once(program, creator, edge) && !self.repeated.contains(&place);
        let abstract_thread = self.abstract_threads.next_id();
        let root = self.new_call_string(program, entry, abstract_thread, None, once);
        self.abstract_threads.push(AbstractThreadInfo {
            created: Some((creator, edge)),
            entry,
            creates: false,
            parents: vec![parent],
            once,
            root,
        });
        self.created.insert(key, abstract_thread);
        Created::AbstractThread(abstract_thread)
    }

    /// An abstract thread whose threads create, perhaps by others, threads at the same place again.
    fn recursive_thread(&self, creator: CallString, edge: EdgeId, entry: FunctionId) -> Option<AbstractThread> {
        let function = self.call_strings[creator].function;
        let mut at = self.call_strings[creator].abstract_thread;
        loop {
            let info = &self.abstract_threads[at];
            let (call_string, place) = info.created?;
            if info.entry == entry && place == edge && self.call_strings[call_string].function == function {
                return Some(at);
            }
            at = self.call_strings[call_string].abstract_thread;
        }
    }

    /// Is the abstract thread itself, or one that creates it directly or not?
    pub fn is_ancestor(&self, ancestor: AbstractThread, abstract_thread: AbstractThread) -> bool {
        self.ancestors(abstract_thread).contains(&ancestor)
    }

    /// With the abstract thread itself first.
    pub fn ancestors(&self, abstract_thread: AbstractThread) -> Vec<AbstractThread> {
        let mut found = vec![abstract_thread];
        let mut next = 0;
        while next < found.len() {
            for parent in &self.abstract_threads[found[next]].parents {
                if !found.contains(parent) {
                    found.push(*parent);
                }
            }
            next += 1;
        }
        found
    }

    /// Do its threads create threads of the same abstract thread?
    pub fn is_recursive_thread(&self, abstract_thread: AbstractThread) -> bool {
        self.abstract_threads[abstract_thread].parents.len() > 1
    }
}

pub enum Created {
    AbstractThread(AbstractThread),
    /// Threads that are created there turn out to create more of their kind: the analysis must begin again, knowing that.
    Repeated(FunctionId, EdgeId),
}
