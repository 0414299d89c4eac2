//! `table.html`: all rows with one group of columns for each tool, in one file that needs nothing else.

use std::fmt::Write as _;

use super::answer::Judgement;
use super::results::Row;
use super::run::log_name;
use super::summary::{self, Summary};
use super::tools::Tool;

const STYLE: &str = include_str!("html/table.css");
const SCRIPT: &str = include_str!("html/table.js");
/// Columns before those of the tools.
const TASK_COLUMNS: [&str; 4] = ["suite", "file", "property", "expected"];

/// `rows` has one row for each task and tool, those of a task together.
pub fn table(rows: &[Row<'_>], tools: &[Tool], pictures: &[&str]) -> String {
    let mut body = String::new();
    overview(&mut body, rows, tools);
    pictures.iter().for_each(|svg| body.push_str(&format!("<figure>{svg}</figure>\n")));
    filters(&mut body);
    all_rows(&mut body, rows, tools);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>heddle suite</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>heddle suite</h1>\n{body}<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// A column for each tool.
fn overview(html: &mut String, rows: &[Row<'_>], tools: &[Tool]) {
    let summaries: Vec<Summary> = tools.iter().map(|tool| Summary::of(summary::of_tool(rows, tool))).collect();
    let _ = write!(html, "<table class=\"overview\">\n<tr><th></th>");
    tools.iter().for_each(|tool| html.push_str(&format!("<th>{}</th>", escaped(&tool.name))));
    html.push_str("</tr>\n");
    let time = |seconds: f64| format!("{seconds:.1} s");
    let mut line = |name: &str, class: &str, value: &dyn Fn(&Summary) -> String| {
        let _ = write!(html, "<tr class=\"{class}\"><th>{name}</th>");
        summaries.iter().for_each(|summary| html.push_str(&format!("<td>{}</td>", escaped(&value(summary)))));
        html.push_str("</tr>\n");
    };
    line("tasks", "", &|s| s.tasks.to_string());
    line("true", "correct", &|s| s.proved.to_string());
    line("false", "correct", &|s| s.violated.to_string());
    line("wrong", "wrong", &|s| s.wrong.to_string());
    line("unknown", "unknown", &|s| s.unknown.to_string());
    line("crashed", "crashed", &|s| s.crashed.to_string());
    line("score", "", &|s| s.score.map_or_else(String::new, |score| score.to_string()));
    line("time", "", &|s| time(s.seconds));
    line("median of solved", "", &|s| s.median().map_or_else(String::new, |median| format!("{median:.2} s")));
    html.push_str("</table>\n");
}

fn filters(html: &mut String) {
    html.push_str("<p class=\"filters\"><input id=\"text\" type=\"search\" placeholder=\"part of a row\" aria-label=\"part of a row\">\n");
    html.push_str("<select id=\"judgement\" aria-label=\"judgement\"><option value=\"\">all</option>");
    for word in ["correct", "wrong", "unjudged", "unknown", "crashed"] {
        let _ = write!(html, "<option>{word}</option>");
    }
    html.push_str("<option value=\"differ\">tools differ</option></select> <span id=\"count\"></span></p>\n");
}

fn all_rows(html: &mut String, rows: &[Row<'_>], tools: &[Tool]) {
    let _ = write!(html, "<table id=\"rows\">\n<thead>\n<tr><td colspan=\"{}\"></td>", TASK_COLUMNS.len());
    tools
        .iter()
        .for_each(|tool| html.push_str(&format!("<th colspan=\"3\" class=\"tool\">{}</th>", escaped(&tool.name))));
    html.push_str("</tr>\n<tr class=\"sort\">");
    let own = tools.iter().flat_map(|_| ["verdict", "time (s)", "memory (MB)"]);
    TASK_COLUMNS.into_iter().chain(own).for_each(|name| html.push_str(&format!("<th><button>{name}</button></th>")));
    html.push_str("</tr>\n</thead>\n<tbody>\n");
    rows.chunks(tools.len()).for_each(|rows| task(html, rows));
    html.push_str("</tbody>\n</table>\n");
}

fn task(html: &mut String, rows: &[Row<'_>]) {
    let Some(first) = rows.first() else { return };
    let cells = [&first.task.suite, &first.task.name, first.task.property.name(), summary::expected(first)];
    html.push_str("<tr>");
    cells.iter().for_each(|cell| html.push_str(&format!("<td>{}</td>", escaped(cell))));
    for row in rows {
        let class = row.outcome.answer.judge(row.task).word();
        let memory = row.outcome.megabytes.map(|size| format!("{size:.1}")).unwrap_or_default();
        let _ = write!(
            html,
            "<td class=\"{class}\"{}><a href=\"{}\">{}</a></td><td class=\"number\">{:.2}</td><td class=\"number\">{memory}</td>",
            title(row),
            escaped(&log_name(row.tool, row.task).to_string_lossy()),
            escaped(&row.outcome.answer.to_string()),
            row.outcome.seconds
        );
    }
    html.push_str("</tr>\n");
}

/// Colour alone does not tell.
fn title(row: &Row<'_>) -> &'static str {
    match row.outcome.answer.judge(row.task) {
        Judgement::Wrong => " title=\"wrong\"",
        Judgement::Correct => " title=\"correct\"",
        _ => "",
    }
}

/// For HTML and SVG, in texts and in attributes.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // Not allowed in XML, however it is written.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
