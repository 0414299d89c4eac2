//! Names with a meaning of their own: attributes, builtins, `__func__`.

use base::{Interner, Symbol};
use rustc_hash::FxHashMap;

use super::atomics::AtomicCall;
use super::attributes::AttributeName;
use crate::typed::{AtomicOp, Builtin, SwapResult, When};
use crate::types::{FloatKind, IntKind};

/// A function the compiler itself provides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuiltinCall {
    /// The value of the first argument, as `long`.
    Expect,
    ConstantP,
    ObjectSize,
    ClassifyType,
    /// The first argument as it is.
    Same,
    /// One integer operand of that type; result `int`.
    Bits(Builtin, IntKind),
    ByteSwap(IntKind),
    /// `None`: operands of any integer types.
    Overflow(Builtin, Option<IntKind>),
    OverflowP(Builtin),
    Classify(Builtin),
    FpClassify,
    CompareFloats(Builtin),
    Fabs(FloatKind),
    CopySign(FloatKind),
    Infinity(FloatKind),
    Nan(FloatKind),
    VaStart,
    VaEnd,
    VaCopy,
    Alloca,
    /// No value, any arguments.
    Effect(Builtin),
    /// `void *`, any arguments.
    Address(Builtin),
    Atomic(AtomicCall),
    /// Exists, but is beyond what can be modelled.
    Refused,
}

pub(crate) struct Words {
    pub attributes: FxHashMap<Symbol, AttributeName>,
    pub builtins: FxHashMap<Symbol, BuiltinCall>,
    pub function_names: [Symbol; 3],
}

const ATTRIBUTES: &[(&str, AttributeName)] = &[
    ("packed", AttributeName::Packed),
    ("aligned", AttributeName::Aligned),
    ("noreturn", AttributeName::NoReturn),
    ("constructor", AttributeName::Constructor),
    ("destructor", AttributeName::Destructor),
    ("weak", AttributeName::Weak),
    ("cleanup", AttributeName::Cleanup),
    ("transparent_union", AttributeName::TransparentUnion),
    ("mode", AttributeName::Mode),
    ("vector_size", AttributeName::VectorSize),
    ("alias", AttributeName::Alias),
    ("weakref", AttributeName::Unmodelled),
    ("ifunc", AttributeName::Unmodelled),
    ("scalar_storage_order", AttributeName::Unmodelled),
    ("ms_struct", AttributeName::Unmodelled),
];

impl Words {
    pub fn new(names: &mut Interner) -> Words {
        let attributes = ATTRIBUTES.iter().map(|&(name, kind)| (names.intern(name), kind)).collect();
        let mut table = Table { names, builtins: FxHashMap::default() };
        table.plain();
        table.bits();
        table.overflow();
        table.floats();
        table.atomics();
        table.sync();
        table.standard_atomics();
        let builtins = table.builtins;
        let function_names = ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"].map(|name| names.intern(name));
        Words { attributes, builtins, function_names }
    }
}

struct Table<'n> {
    names: &'n mut Interner,
    builtins: FxHashMap<Symbol, BuiltinCall>,
}

const OPERATIONS: [(&str, AtomicOp); 6] = [
    ("add", AtomicOp::Add),
    ("sub", AtomicOp::Sub),
    ("and", AtomicOp::And),
    ("or", AtomicOp::Or),
    ("xor", AtomicOp::Xor),
    ("nand", AtomicOp::Nand),
];

impl Table<'_> {
    fn add(&mut self, name: &str, call: BuiltinCall) {
        let symbol = self.names.intern(name);
        self.builtins.insert(symbol, call);
    }

    fn builtin(&mut self, name: &str, call: BuiltinCall) {
        self.add(&format!("__builtin_{name}"), call);
    }

    fn plain(&mut self) {
        use BuiltinCall as B;
        let calls = [
            ("expect", B::Expect),
            ("expect_with_probability", B::Expect),
            ("constant_p", B::ConstantP),
            ("object_size", B::ObjectSize),
            ("dynamic_object_size", B::ObjectSize),
            ("classify_type", B::ClassifyType),
            ("assume_aligned", B::Same),
            ("extract_return_addr", B::Same),
            ("frob_return_addr", B::Same),
            ("speculation_safe_value", B::Same),
            ("va_start", B::VaStart),
            ("stdarg_start", B::VaStart),
            ("va_end", B::VaEnd),
            ("va_copy", B::VaCopy),
            ("alloca", B::Alloca),
            ("alloca_with_align", B::Alloca),
            ("unreachable", B::Effect(Builtin::Unreachable)),
            ("trap", B::Effect(Builtin::Trap)),
            ("prefetch", B::Effect(Builtin::Nothing)),
            ("__clear_cache", B::Effect(Builtin::Nothing)),
            ("ia32_pause", B::Effect(Builtin::Nothing)),
            ("unwind_init", B::Effect(Builtin::Nothing)),
            ("frame_address", B::Address(Builtin::FrameAddress)),
            ("dwarf_cfa", B::Address(Builtin::FrameAddress)),
            ("return_address", B::Address(Builtin::ReturnAddress)),
            ("ia32_mfence", B::Atomic(AtomicCall::Fence)),
            ("ia32_lfence", B::Atomic(AtomicCall::Fence)),
            ("ia32_sfence", B::Atomic(AtomicCall::Fence)),
            ("apply_args", B::Refused),
            ("apply", B::Refused),
            ("return", B::Refused),
            ("va_arg_pack", B::Refused),
            ("va_arg_pack_len", B::Refused),
            ("shuffle", B::Refused),
            ("convertvector", B::Refused),
            ("complex", B::Refused),
        ];
        for (name, call) in calls {
            self.builtin(name, call);
        }
        self.add("alloca", B::Alloca);
    }

    fn bits(&mut self) {
        let unsigned = [("", IntKind::UInt), ("l", IntKind::ULong), ("ll", IntKind::ULongLong)];
        let families = [
            ("clz", Builtin::CountLeadingZeros, false),
            ("ctz", Builtin::CountTrailingZeros, false),
            ("popcount", Builtin::PopCount, false),
            ("parity", Builtin::Parity, false),
            ("ffs", Builtin::FindFirstSet, true),
            ("clrsb", Builtin::LeadingRedundantSignBits, true),
        ];
        for (family, builtin, signed) in families {
            for (suffix, kind) in unsigned {
                let kind = if signed { kind.to_signed() } else { kind };
                self.builtin(&format!("{family}{suffix}"), BuiltinCall::Bits(builtin, kind));
            }
        }
        let widths =
            [("16", IntKind::UShort), ("32", IntKind::UInt), ("64", IntKind::ULongLong), ("128", IntKind::UInt128)];
        for (width, kind) in widths {
            self.builtin(&format!("bswap{width}"), BuiltinCall::ByteSwap(kind));
        }
    }

    fn overflow(&mut self) {
        let families = [
            ("add", Builtin::AddOverflow, Builtin::AddOverflowP),
            ("sub", Builtin::SubOverflow, Builtin::SubOverflowP),
            ("mul", Builtin::MulOverflow, Builtin::MulOverflowP),
        ];
        let kinds = [("", IntKind::Int), ("l", IntKind::Long), ("ll", IntKind::LongLong)];
        for (name, stored, tested) in families {
            self.builtin(&format!("{name}_overflow"), BuiltinCall::Overflow(stored, None));
            self.builtin(&format!("{name}_overflow_p"), BuiltinCall::OverflowP(tested));
            for (suffix, kind) in kinds {
                self.builtin(&format!("s{name}{suffix}_overflow"), BuiltinCall::Overflow(stored, Some(kind)));
                let unsigned = Some(kind.to_unsigned());
                self.builtin(&format!("u{name}{suffix}_overflow"), BuiltinCall::Overflow(stored, unsigned));
            }
        }
    }

    fn floats(&mut self) {
        use BuiltinCall as B;
        let kinds = [
            ("", FloatKind::Double),
            ("f", FloatKind::Float),
            ("l", FloatKind::LongDouble),
            ("f128", FloatKind::Float128),
            ("q", FloatKind::Float128),
        ];
        for (suffix, kind) in kinds {
            self.builtin(&format!("fabs{suffix}"), B::Fabs(kind));
            self.builtin(&format!("copysign{suffix}"), B::CopySign(kind));
            self.builtin(&format!("inf{suffix}"), B::Infinity(kind));
            self.builtin(&format!("huge_val{suffix}"), B::Infinity(kind));
            self.builtin(&format!("nan{suffix}"), B::Nan(kind));
            self.builtin(&format!("nans{suffix}"), B::Nan(kind));
            for (name, builtin) in [
                ("isnan", Builtin::IsNan),
                ("isinf", Builtin::IsInf),
                ("finite", Builtin::IsFinite),
                ("signbit", Builtin::SignBit),
            ] {
                self.builtin(&format!("{name}{suffix}"), B::Classify(builtin));
            }
        }
        for (name, call) in [
            ("isinf_sign", B::Classify(Builtin::IsInf)),
            ("isfinite", B::Classify(Builtin::IsFinite)),
            ("isnormal", B::Classify(Builtin::IsNormal)),
            ("fpclassify", B::FpClassify),
            ("isgreater", B::CompareFloats(Builtin::IsGreater)),
            ("isgreaterequal", B::CompareFloats(Builtin::IsGreaterEqual)),
            ("isless", B::CompareFloats(Builtin::IsLess)),
            ("islessequal", B::CompareFloats(Builtin::IsLessEqual)),
            ("islessgreater", B::CompareFloats(Builtin::IsLessGreater)),
            ("isunordered", B::CompareFloats(Builtin::IsUnordered)),
        ] {
            self.builtin(name, call);
        }
    }

    /// The name itself, and its forms for one size: `_1`, `_2`, …
    fn sized(&mut self, name: &str, call: AtomicCall) {
        self.add(name, BuiltinCall::Atomic(call));
        for bytes in [1u8, 2, 4, 8, 16] {
            self.add(&format!("{name}_{bytes}"), BuiltinCall::Atomic(call.sized(bytes)));
        }
    }

    fn atomics(&mut self) {
        use AtomicCall as A;
        for (name, op) in OPERATIONS {
            let fetch = |result| A::Modify { op, result, bytes: 0 };
            self.sized(&format!("__atomic_fetch_{name}"), fetch(When::Before));
            self.sized(&format!("__atomic_{name}_fetch"), fetch(When::After));
        }
        let exchange = A::Modify { op: AtomicOp::Exchange, result: When::Before, bytes: 0 };
        for (name, call) in [
            ("__atomic_load_n", A::Load { bytes: 0 }),
            ("__atomic_store_n", A::Store { bytes: 0 }),
            ("__atomic_exchange_n", exchange),
            ("__atomic_compare_exchange_n", A::CompareExchange { bytes: 0 }),
            ("__atomic_load", A::GenericLoad),
            ("__atomic_store", A::GenericStore),
            ("__atomic_exchange", A::GenericExchange),
            ("__atomic_compare_exchange", A::GenericCompareExchange),
            ("__atomic_test_and_set", A::TestAndSet),
            ("__atomic_clear", A::Clear),
            ("__atomic_thread_fence", A::Fence),
            ("__atomic_signal_fence", A::Fence),
            ("__atomic_always_lock_free", A::LockFree),
            ("__atomic_is_lock_free", A::LockFree),
        ] {
            self.add(name, BuiltinCall::Atomic(call));
        }
        for bytes in [1u8, 2, 4, 8, 16] {
            self.add(&format!("__atomic_load_{bytes}"), BuiltinCall::Atomic(A::Load { bytes }));
            self.add(&format!("__atomic_store_{bytes}"), BuiltinCall::Atomic(A::Store { bytes }));
            self.add(&format!("__atomic_exchange_{bytes}"), BuiltinCall::Atomic(exchange.sized(bytes)));
            let compare = A::CompareExchange { bytes };
            self.add(&format!("__atomic_compare_exchange_{bytes}"), BuiltinCall::Atomic(compare));
        }
    }

    fn sync(&mut self) {
        use AtomicCall as A;
        for (name, op) in OPERATIONS {
            let modify = |result| A::Modify { op, result, bytes: 0 };
            self.sized(&format!("__sync_fetch_and_{name}"), modify(When::Before));
            self.sized(&format!("__sync_{name}_and_fetch"), modify(When::After));
        }
        let exchange = A::Modify { op: AtomicOp::Exchange, result: When::Before, bytes: 0 };
        self.sized("__sync_lock_test_and_set", exchange);
        self.sized("__sync_bool_compare_and_swap", A::CompareSwap { result: SwapResult::Success, bytes: 0 });
        self.sized("__sync_val_compare_and_swap", A::CompareSwap { result: SwapResult::Old, bytes: 0 });
        self.sized("__sync_lock_release", A::Release { bytes: 0 });
        self.add("__sync_synchronize", BuiltinCall::Atomic(A::Fence));
    }

    fn standard_atomics(&mut self) {
        use AtomicCall as A;
        let mut calls = vec![
            ("atomic_load".to_owned(), A::StandardLoad),
            ("atomic_store".to_owned(), A::StandardStore),
            ("atomic_exchange".to_owned(), A::StandardModify { op: AtomicOp::Exchange }),
            ("atomic_compare_exchange_strong".to_owned(), A::StandardCompareExchange { weak: false }),
            ("atomic_compare_exchange_weak".to_owned(), A::StandardCompareExchange { weak: true }),
            ("atomic_flag_test_and_set".to_owned(), A::TestAndSet),
            ("atomic_flag_clear".to_owned(), A::Clear),
        ];
        for (name, op) in OPERATIONS.iter().take(5) {
            calls.push((format!("atomic_fetch_{name}"), A::StandardModify { op: *op }));
        }
        for (name, call) in calls {
            self.add(&name, BuiltinCall::Atomic(call));
            self.add(&format!("{name}_explicit"), BuiltinCall::Atomic(call));
        }
        self.add("atomic_init", BuiltinCall::Atomic(A::Init));
        self.add("atomic_thread_fence", BuiltinCall::Atomic(A::Fence));
        self.add("atomic_signal_fence", BuiltinCall::Atomic(A::Fence));
        self.add("atomic_is_lock_free", BuiltinCall::Atomic(A::LockFree));
    }
}
