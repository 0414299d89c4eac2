//! The result as JSON, for programs.

use program::{Ledger, Program};
use serde_json::{Map, Value, json};

use crate::alarms;
use crate::coverage;
use crate::interleaving::{Interleaving, Row};
use crate::report::{Answer, Report, direction_name};

/// One object for a run of the tool; `results` has one entry for each property or automaton.
pub fn json(program: &Program, reports: &[Report]) -> String {
    let results: Vec<Value> = reports.iter().map(|report| result(program, report)).collect();
    let value = json!({
        "format": 1,
        "tool": "heddle",
        "results": results,
        "ledger": ledger(program, &program.ledger),
    });
    format!("{value:#}\n")
}

fn result(program: &Program, report: &Report) -> Value {
    let statistics: Map<String, Value> =
        report.statistics.iter().map(|(name, count)| (name.name().to_owned(), json!(count))).collect();
    let mut result = json!({
        "property": report.property,
        "verdict": report.answer.verdict(),
        "ledger": ledger(program, &report.ledger),
        "statistics": statistics,
    });
    if let Some(file) = &report.specification {
        result["specification"] = json!(file);
    }
    match &report.answer {
        Answer::Proved { by, grounds, coverage, assumes } => {
            result["proof"] = json!({
                "by": by,
                "grounds": grounds,
                "covered": coverage::json(coverage),
                "vacuous": coverage.vacuous(),
                "assumes": assumes,
            });
        }
        Answer::Violated { interleaving, .. } => result["violation"] = violation(interleaving),
        Answer::Unknown { details, alarms, interleaving, .. } => {
            result["details"] = json!(details);
            if let Some(interleaving) = interleaving {
                result["run"] = violation(interleaving);
            }
            result["candidates"] = alarms.iter().map(alarms::json).collect();
        }
    }
    result
}

fn violation(interleaving: &Interleaving) -> Value {
    json!({
        "summary": interleaving.ending,
        "threads": interleaving.threads,
        "steps": interleaving.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn row(row: &Row) -> Value {
    let note = |note: &crate::Note| json!({ "verb": note.verb, "what": note.subject, "value": note.value });
    json!({
        "thread": row.thread,
        "file": row.place.file,
        "line": row.place.line,
        "text": row.place.text,
        "first_step": row.first,
        "steps": row.steps,
        "does": row.notes.iter().map(note).collect::<Vec<_>>(),
    })
}

fn ledger(program: &Program, ledger: &Ledger) -> Vec<Value> {
    let entry = |entry: &program::Assumption| {
        let place = program.sources.place(entry.span);
        json!({
            "direction": direction_name(entry.direction),
            "subject": entry.subject,
            "text": entry.text,
            "count": entry.count,
            "file": place.as_ref().map(|place| place.file),
            "line": place.as_ref().map(|place| place.line),
        })
    };
    ledger.entries().iter().map(entry).collect()
}
