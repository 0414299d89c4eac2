//! What a run does not show by itself: of which abstract thread a thread is, of which call strings its frames are, where objects were made.

use std::rc::Rc;

use base::Idx;
use facts::AT_END;
use facts::tables::{AbstractObject, AbstractThread, CallString, Role, Tables};
use program::{Allocation, EdgeId, Op, Program, ThreadOp};
use semantics::{Machine, ObjectKind, State, ThreadId, Value};

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Ghost {
    /// By thread.
    pub members: Vec<Rc<Member>>,
    /// By object.
    pub makers: Vec<Maker>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    pub abstract_thread: AbstractThread,
    pub parent: Option<ThreadId>,
    /// One for each frame.
    pub stack: Vec<CallString>,
    pub argument: Value,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Maker {
    /// In the role of its maker's own.
    pub abstract_object: AbstractObject,
    pub thread: ThreadId,
}

impl Ghost {
    pub fn initial(tables: &Tables, state: &State) -> Ghost {
        let first = Member {
            abstract_thread: AbstractThread(0),
            parent: None,
            stack: vec![tables.abstract_threads[AbstractThread(0)].root],
            argument: Value::NULL,
        };
        let abstract_object = |kind| match kind {
            ObjectKind::Global(global) => AbstractObject::Global(global),
            ObjectKind::ThreadLocal(global) => AbstractObject::ThreadLocal(AbstractThread(0), global, Role::Own),
            ObjectKind::Indeterminate(_) => AbstractObject::Indeterminate,
            _ => unreachable!("nothing else is there in the beginning"),
        };
        let maker = |kind| Maker { abstract_object: abstract_object(kind), thread: ThreadId(0) };
        Ghost { members: vec![Rc::new(first)], makers: state.objects.iter().map(|object| maker(object.kind)).collect() }
    }

    /// A step was made that did not end the run.
    pub fn follow(
        &mut self,
        machine: &Machine<'_>,
        tables: &Tables,
        before: &State,
        after: &State,
        (thread, edge): (ThreadId, EdgeId),
    ) -> Result<(), String> {
        let (program, op) = (machine.program, &machine.edge(before, thread, edge).op);
        let call_string = *self.members[thread.index()].stack.last().ok_or("a thread without frames moves")?;
        if after.threads.len() > before.threads.len() {
            self.follow_create(machine, tables, before, after, (thread, edge))?;
        }
        for i in before.objects.len()..after.objects.len() {
            let abstract_object = match (op, after.objects[i].kind) {
                (_, ObjectKind::Indeterminate(_)) => AbstractObject::Indeterminate,
                (Op::Enter(local), _) => AbstractObject::Local(call_string, *local, Role::Own),
                (_, ObjectKind::Arguments(_)) => AbstractObject::CommandLine(Role::Own),
                (_, ObjectKind::Argument) => AbstractObject::CommandText(Role::Own),
                (Op::Allocate(allocate), _) => match allocate.kind {
                    Allocation::Variable(local) => AbstractObject::Local(call_string, local, Role::Own),
                    _ => AbstractObject::Block(call_string, edge, Role::Own),
                },
                (_, ObjectKind::ThreadLocal(global)) => {
                    let new = self.members.last().expect("it was just created").abstract_thread;
                    AbstractObject::ThreadLocal(new, global, Role::Own)
                }
                _ => return Err(format!("an object comes from {op:?}")),
            };
            let is_thread_local = matches!(abstract_object, AbstractObject::ThreadLocal(..));
            let maker = if is_thread_local { ThreadId::from_usize(after.threads.len() - 1) } else { thread };
            self.makers.push(Maker { abstract_object, thread: maker });
        }
        self.follow_frames(tables, program, before, after, (thread, edge))
    }

    fn follow_create(
        &mut self,
        machine: &Machine<'_>,
        tables: &Tables,
        before: &State,
        after: &State,
        (thread, edge): (ThreadId, EdgeId),
    ) -> Result<(), String> {
        let Op::Thread(op) = &machine.edge(before, thread, edge).op else { return Err("who created this?".into()) };
        let ThreadOp::Create { arg, .. } = &**op else { return Err("who created this?".into()) };
        let call_string = *self.members[thread.index()].stack.last().expect("it moves");
        let entry = after.threads.last().expect("there is a new one").frames[0].function;
        let abstract_thread =
            tables.find_abstract_thread(call_string, edge, entry).ok_or("an abstract thread is missing")?;
        let argument = machine.peek(before, thread, *arg).unwrap_or(Value::Undefined);
        let stack = vec![tables.abstract_threads[abstract_thread].root];
        self.members.push(Rc::new(Member { abstract_thread, parent: Some(thread), stack, argument }));
        Ok(())
    }

    fn follow_frames(
        &mut self,
        tables: &Tables,
        program: &Program,
        before: &State,
        after: &State,
        (thread, edge): (ThreadId, EdgeId),
    ) -> Result<(), String> {
        let (was, is) = (before.thread(thread), after.thread(thread));
        let op = &program.functions[before.frame(thread).function].edges[edge].op;
        let exits = matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Exit { .. }));
        let member = Rc::make_mut(&mut self.members[thread.index()]);
        let abstract_thread = member.abstract_thread;
        let from = match op {
            Op::Call(_) => (*member.stack.last().expect("it moves"), edge),
            Op::Return | Op::Thread(_) if exits || *op == Op::Return => {
                if *op == Op::Return {
                    member.stack.pop();
                }
                let leaves = exits || was.frames.len() - 1 == was.left;
                if leaves && was.cleanup.is_empty() {
                    member.stack.clear();
                }
                (tables.abstract_threads[abstract_thread].root, AT_END)
            }
            _ => return Ok(()),
        };
        if member.stack.len() < is.frames.len() {
            let function = is.frames.last().expect("one was pushed").function;
            let callee = tables.find_callee(from.0, from.1, function);
            let name = &program.functions[function].name;
            member.stack.push(callee.ok_or_else(|| format!("the call of {name} by {} {} is missing", from.0, from.1))?);
        }
        let functions = member.stack.iter().map(|call_string| tables.call_strings[*call_string].function);
        if !functions.eq(is.frames.iter().map(|frame| frame.function)) {
            return Err(format!("test: the stack {:?} is not followed", member.stack));
        }
        Ok(())
    }
}
