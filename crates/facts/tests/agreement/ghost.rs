//! What a run does not show by itself: of which crew a thread is, of which instances its frames are, where objects were made.

use std::rc::Rc;

use base::Idx;
use facts::AT_END;
use facts::tables::{Crew, Instance, Role, Tables, Thing};
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
    pub crew: Crew,
    pub parent: Option<ThreadId>,
    /// One for each frame.
    pub stack: Vec<Instance>,
    pub argument: Value,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Maker {
    /// In the role of its maker's own.
    pub thing: Thing,
    pub thread: ThreadId,
}

impl Ghost {
    pub fn initial(tables: &Tables, state: &State) -> Ghost {
        let first =
            Member { crew: Crew(0), parent: None, stack: vec![tables.crews[Crew(0)].root], argument: Value::NULL };
        let thing = |kind| match kind {
            ObjectKind::Global(global) => Thing::Global(global),
            ObjectKind::ThreadLocal(global) => Thing::ThreadLocal(Crew(0), global, Role::Own),
            ObjectKind::Indeterminate(_) => Thing::Indeterminate,
            _ => unreachable!("nothing else is there in the beginning"),
        };
        let maker = |kind| Maker { thing: thing(kind), thread: ThreadId(0) };
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
        let instance = *self.members[thread.index()].stack.last().ok_or("a thread without frames moves")?;
        if after.threads.len() > before.threads.len() {
            self.follow_create(machine, tables, before, after, (thread, edge))?;
        }
        for i in before.objects.len()..after.objects.len() {
            let thing = match (op, after.objects[i].kind) {
                (_, ObjectKind::Indeterminate(_)) => Thing::Indeterminate,
                (Op::Enter(local), _) => Thing::Local(instance, *local, Role::Own),
                (_, ObjectKind::Arguments(_)) => Thing::CommandLine(Role::Own),
                (_, ObjectKind::Argument) => Thing::CommandText(Role::Own),
                (Op::Allocate(allocate), _) => match allocate.kind {
                    Allocation::Variable(local) => Thing::Local(instance, local, Role::Own),
                    _ => Thing::Block(instance, edge, Role::Own),
                },
                (_, ObjectKind::ThreadLocal(global)) => {
                    let new = self.members.last().expect("it was just created").crew;
                    Thing::ThreadLocal(new, global, Role::Own)
                }
                _ => return Err(format!("an object comes from {op:?}")),
            };
            let is_thread_local = matches!(thing, Thing::ThreadLocal(..));
            let maker = if is_thread_local { ThreadId::from_usize(after.threads.len() - 1) } else { thread };
            self.makers.push(Maker { thing, thread: maker });
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
        let instance = *self.members[thread.index()].stack.last().expect("it moves");
        let entry = after.threads.last().expect("there is a new one").frames[0].function;
        let crew = tables.find_crew(instance, edge, entry).ok_or("a crew is missing")?;
        let argument = machine.peek(before, thread, *arg).unwrap_or(Value::Undefined);
        let stack = vec![tables.crews[crew].root];
        self.members.push(Rc::new(Member { crew, parent: Some(thread), stack, argument }));
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
        let crew = member.crew;
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
                (tables.crews[crew].root, AT_END)
            }
            _ => return Ok(()),
        };
        if member.stack.len() < is.frames.len() {
            let function = is.frames.last().expect("one was pushed").function;
            let callee = tables.find_callee(from.0, from.1, function);
            let name = &program.functions[function].name;
            member.stack.push(callee.ok_or_else(|| format!("the call of {name} by {} {} is missing", from.0, from.1))?);
        }
        let functions = member.stack.iter().map(|instance| tables.instances[*instance].function);
        if !functions.eq(is.frames.iter().map(|frame| frame.function)) {
            return Err(format!("test: the stack {:?} is not followed", member.stack));
        }
        Ok(())
    }
}
