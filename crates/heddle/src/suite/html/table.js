const table = document.getElementById("rows");
const body = table.tBodies[0];
const text = document.getElementById("text");
const judgement = document.getElementById("judgement");
const rows = [...body.rows];
const judged = "correct wrong unjudged unknown crashed".split(" ");

function verdicts(row) {
  return [...row.cells].filter(cell => judged.includes(cell.className));
}

function fits(row) {
  if (!row.textContent.toLowerCase().includes(text.value.toLowerCase())) return false;
  const cells = verdicts(row);
  if (judgement.value === "") return true;
  if (judgement.value === "differ") return new Set(cells.map(cell => cell.className)).size > 1;
  return cells.some(cell => cell.className === judgement.value);
}

function filter() {
  rows.forEach(row => { row.hidden = !fits(row); });
  document.getElementById("count").textContent = rows.filter(row => !row.hidden).length + " of " + rows.length;
}

function compare(a, b) {
  if (a !== "" && b !== "" && !isNaN(a) && !isNaN(b)) return a - b;
  return a.localeCompare(b);
}

function sort(heading) {
  const column = heading.cellIndex;
  const down = heading.getAttribute("aria-sort") === "ascending";
  for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = row => row.cells[column].textContent;
  rows.sort((a, b) => (down ? -1 : 1) * compare(key(a), key(b)));
  body.append(...rows);
}

table.querySelectorAll("tr.sort th").forEach(heading => heading.addEventListener("click", () => sort(heading)));
text.addEventListener("input", filter);
judgement.addEventListener("change", filter);
filter();
