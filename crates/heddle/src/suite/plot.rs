//! Plots as SVG: times on logarithmic axes.

mod axis;

use std::fmt::Write as _;

use super::answer::Judgement;
use super::html::escaped;
use super::results::Row;
use super::summary::{self, Summary};
use super::tasks::Expected;
use super::tools::Tool;
use axis::{Linear, Logarithmic};

/// Told apart with every kind of colour vision (Okabe and Ito), dark enough on white.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d00", "#333333"];
/// With one of these, lines of tools are told apart in black and white, too.
const DASHES: [&str; 3] = ["none", "7 4", "2 3"];
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const SIDE: f64 = 420.0;
const LEGEND: f64 = 18.0;

/// How many tasks are solved within which time: the n-th fastest correct result of each tool.
pub fn quantile(rows: &[Row<'_>], tools: &[Tool], limit: f64) -> String {
    let times: Vec<Vec<f64>> = tools.iter().map(|tool| Summary::of(summary::of_tool(rows, tool)).times).collect();
    let most = times.iter().map(Vec::len).max().unwrap_or(0);
    let width = SIDE * 1.5;
    let x = Linear::new(most, LEFT, width);
    let y = Logarithmic::new(times.iter().flatten().copied(), limit, TOP + SIDE, -SIDE);
    let mut svg = String::new();
    axis::frame(&mut svg, width, SIDE, LEFT, TOP);
    x.draw(&mut svg, TOP, SIDE);
    y.draw_vertical(&mut svg, LEFT, width);
    axis::titles(&mut svg, "n-th fastest correct result", "time in s", (LEFT, TOP), (width, SIDE));
    for (i, (tool, times)) in tools.iter().zip(&times).enumerate() {
        let style =
            format!(r#"stroke="{}" stroke-dasharray="{}""#, colour(i), DASHES[i / COLOURS.len() % DASHES.len()]);
        let points = times.iter().enumerate().map(|(n, time)| (x.at(n + 1), y.at(*time)));
        curve(&mut svg, points, &style, colour(i));
        let line = TOP + LEGEND * (i as f64 + 1.0);
        let _ = writeln!(
            svg,
            r#"<line x1="{}" y1="{}" x2="{}" y2="{}" {style} stroke-width="2"/><text x="{}" y="{line}">{} ({})</text>"#,
            LEFT + 12.0,
            line - 4.0,
            LEFT + 42.0,
            line - 4.0,
            LEFT + 50.0,
            escaped(&tool.name),
            times.len()
        );
    }
    picture("Solved tasks by time", width + LEFT + 30.0, &svg)
}

fn curve(svg: &mut String, points: impl Iterator<Item = (f64, f64)>, style: &str, colour: &str) {
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(svg, r#"<polyline points="{}" fill="none" {style} stroke-width="1.5"/>"#, points.join(" "));
    for point in &points {
        let (x, y) = point.split_once(',').unwrap_or(("0", "0"));
        let _ = write!(svg, r#"<circle cx="{x}" cy="{y}" r="2" fill="{colour}"/>"#);
    }
    svg.push('\n');
}

/// Each task that one of the two has solved: how long each took. What a tool has not solved lies on the outer line.
pub fn scatter(rows: &[Row<'_>], first: &Tool, second: &Tool, limit: f64) -> String {
    let pairs: Vec<(&Row<'_>, &Row<'_>)> = rows
        .chunks(2)
        .filter_map(|pair| Some((pair.first()?, pair.get(1)?)))
        .filter(|(a, b)| solved(a).or(solved(b)).is_some())
        .collect();
    let times = || pairs.iter().flat_map(|(a, b)| [solved(a), solved(b)]).flatten();
    let x = Logarithmic::new(times(), limit, LEFT, SIDE);
    let y = Logarithmic::new(times(), limit, TOP + SIDE, -SIDE);
    let mut svg = String::new();
    axis::frame(&mut svg, SIDE, SIDE, LEFT, TOP);
    x.draw_horizontal(&mut svg, TOP, SIDE);
    y.draw_vertical(&mut svg, LEFT, SIDE);
    let (across, up) = (format!("{}: time in s", first.name), format!("{}: time in s", second.name));
    axis::titles(&mut svg, &across, &up, (LEFT, TOP), (SIDE, SIDE));
    let (start, end) = (x.start(), x.end());
    let _ = writeln!(
        svg,
        r##"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="#888"/>"##,
        x.at(start),
        y.at(start),
        x.at(end),
        y.at(end)
    );
    for (a, b) in &pairs {
        let at = |axis: &Logarithmic, row| solved(row).map_or(axis.unsolved(), |time| axis.at(time));
        let name = format!("{} {}", a.task.name, a.task.property);
        mark(&mut svg, (at(&x, a), at(&y, b)), a.task.expected.as_ref(), &name);
    }
    let legend = [(Some(Expected::True), "true"), (Some(Expected::False(None)), "false"), (None, "not known")];
    let used = legend
        .iter()
        .filter(|(kind, _)| pairs.iter().any(|(a, _)| shape(a.task.expected.as_ref()) == shape(kind.as_ref())));
    for (i, (kind, word)) in used.enumerate() {
        let line = TOP + LEGEND * (i as f64 + 1.0);
        mark(&mut svg, (LEFT + SIDE + 40.0, line - 4.0), kind.as_ref(), word);
        let _ = writeln!(svg, r#"<text x="{}" y="{line}">expected: {word}</text>"#, LEFT + SIDE + 50.0);
    }
    picture(&format!("{} and {}", first.name, second.name), SIDE + LEFT + 190.0, &svg)
}

fn solved(row: &Row<'_>) -> Option<f64> {
    let judgement = row.outcome.answer.judge(row.task);
    matches!(judgement, Judgement::Correct | Judgement::Unjudged).then_some(row.outcome.seconds)
}

fn shape(expected: Option<&Expected>) -> usize {
    match expected {
        Some(Expected::True) => 0,
        Some(Expected::False(_)) => 1,
        None => 2,
    }
}

/// A cross, a circle or a square.
fn mark(svg: &mut String, (x, y): (f64, f64), expected: Option<&Expected>, name: &str) {
    let kind = shape(expected);
    let path = match kind {
        0 => format!("M{:.1} {:.1}l6 6m0 -6l-6 6", x - 3.0, y - 3.0),
        1 => format!("M{:.1} {:.1}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", x - 3.0, y),
        _ => format!("M{:.1} {:.1}h5v5h-5z", x - 2.5, y - 2.5),
    };
    let (colour, name) = ([COLOURS[0], COLOURS[1], COLOURS[5]][kind], escaped(name));
    let _ = writeln!(svg, r#"<path d="{path}" fill="none" stroke="{colour}"><title>{name}</title></path>"#);
}

fn colour(i: usize) -> &'static str {
    COLOURS[i % COLOURS.len()]
}

fn picture(title: &str, width: f64, content: &str) -> String {
    let (height, title) = (TOP + SIDE + 60.0, escaped(title));
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="13" fill="#222" role="img" aria-label="{title}">
<rect width="{width}" height="{height}" fill="#fff"/>
<text x="{LEFT}" y="{}" font-size="15" font-weight="bold">{title}</text>
{content}</svg>
"##,
        TOP - 14.0
    )
}
