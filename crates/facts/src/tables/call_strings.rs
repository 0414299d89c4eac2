//! Functions as called along one path from where their thread starts (call strings: Sharir and Pnueli, 1981). Recursive calls lead back
//! to a call string that is there already; a program with too many of them gets one for each function and abstract thread.

use base::Idx;
use program::{EdgeId, FunctionId, LocalId, Program};

use super::{AbstractThread, CallString, Node, PHASES, Tables};

#[derive(Clone)]
pub struct CallStringInfo {
    pub function: FunctionId,
    pub abstract_thread: AbstractThread,
    /// Who called it first; none for where a thread starts.
    pub caller: Option<(CallString, EdgeId)>,
    /// There may be several frames of it on one stack.
    pub recursive: bool,
    /// Runs at most once in the whole run of the program.
    pub once: bool,
    /// Its variables are numbered from here on.
    pub first_variable: u32,
    pub first_node: u32,
}

/// More call strings are not worth their cost.
pub const MOST_CALL_STRINGS: usize = 4_000;

impl Tables {
    pub fn runs_once(&self, program: &Program, call_string: CallString, edge: EdgeId) -> bool {
        let info = &self.call_strings[call_string];
        let Some(edge) = program.functions[info.function].edges.get(edge) else { return false };
        let from = edge.from;
        info.once && !self.shapes[info.function].in_cycle[from.index()]
    }

    pub(super) fn new_call_string(
        &mut self,
        program: &Program,
        function: FunctionId,
        abstract_thread: AbstractThread,
        caller: Option<(CallString, EdgeId)>,
        once: bool,
    ) -> CallString {
        let body = &program.functions[function];
        let info = CallStringInfo {
            function,
            abstract_thread,
            caller,
            recursive: self.recursive[function.index()],
            once: once && !self.recursive[function.index()],
            first_variable: self.variables,
            first_node: self.nodes.len() as u32,
        };
        let call_string = self.call_strings.push(info);
        self.variables += body.locals.len() as u32;
        for location in body.locations() {
            self.nodes.extend(PHASES.map(|phase| Node { call_string, location, phase }));
        }
        call_string
    }

    /// The call string that a call leads to.
    pub fn callee(&mut self, program: &Program, caller: CallString, edge: EdgeId, function: FunctionId) -> Called {
        let key = (caller, edge, function);
        if let Some(call_string) = self.callees.get(&key) {
            return Called::CallString(*call_string);
        }
        let abstract_thread = self.call_strings[caller].abstract_thread;
        let mut at = Some(caller);
        while let Some(call_string) = at {
            let info = &self.call_strings[call_string];
            if info.function == function {
                return self.close_circle(key, call_string);
            }
            at = info.caller.map(|(call_string, _)| call_string);
        }
        if self.call_strings.len() >= MOST_CALL_STRINGS && !self.merged {
            return Called::TooMany;
        }
        if self.merged
            && let Some(call_string) = self.merged_call_string(abstract_thread, function)
        {
            return self.close_circle(key, call_string);
        }
        let once = self.runs_once(program, caller, edge) && !self.merged;
        let call_string = self.new_call_string(program, function, abstract_thread, Some((caller, edge)), once);
        self.callees.insert(key, call_string);
        Called::CallString(call_string)
    }

    /// A call that leads to a call string that is there already. All between it and the caller are then called by themselves, too.
    fn close_circle(&mut self, key: (CallString, EdgeId, FunctionId), callee: CallString) -> Called {
        let (behind, before) =
            (self.reached(callee, |(from, to)| (from, to)), self.reached(key.0, |(from, to)| (to, from)));
        let on_circle = behind.iter().filter(|call_string| before.contains(call_string));
        let mut plain = on_circle.filter(|call_string| !self.call_strings[**call_string].recursive);
        if let Some(call_string) = plain.next() {
            return Called::Recursive(self.call_strings[*call_string].function);
        }
        self.callees.insert(key, callee);
        Called::CallString(callee)
    }

    /// The call strings that calls lead to from one, directly or not, that one included; or, backwards, those that lead to it.
    pub(super) fn reached(
        &self,
        from: CallString,
        turn: impl Fn((CallString, CallString)) -> (CallString, CallString),
    ) -> Vec<CallString> {
        let mut found = vec![from];
        let mut next = 0;
        while next < found.len() {
            for ((caller, ..), callee) in &self.callees {
                let (at, to) = turn((*caller, *callee));
                if at == found[next] && !found.contains(&to) {
                    found.push(to);
                }
            }
            next += 1;
        }
        found
    }

    /// The call string that a call leads to, if there is such a call.
    pub fn find_callee(&self, caller: CallString, edge: EdgeId, function: FunctionId) -> Option<CallString> {
        self.callees.get(&(caller, edge, function)).copied()
    }

    fn merged_call_string(&self, abstract_thread: AbstractThread, function: FunctionId) -> Option<CallString> {
        let found = self
            .call_strings
            .iter_enumerated()
            .find(|(_, i)| i.abstract_thread == abstract_thread && i.function == function);
        found.map(|(call_string, _)| call_string)
    }

    pub fn variable(&self, call_string: CallString, local: LocalId) -> u32 {
        self.call_strings[call_string].first_variable + local.0
    }

    pub fn variables_of(&self, program: &Program, call_string: CallString) -> std::ops::Range<u32> {
        let info = &self.call_strings[call_string];
        info.first_variable..info.first_variable + program.functions[info.function].locals.len() as u32
    }
}

pub enum Called {
    CallString(CallString),
    /// The function turns out to be recursive: the analysis must begin again, knowing that.
    Recursive(FunctionId),
    TooMany,
}
