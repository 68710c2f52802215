// The markup arrives escaped and is the only HTML made here; all other text is set as text.
// A table is drawn when its markup changes; marks, scores and the selection are put on the drawn one.

const views = new WeakMap();

export default function ({ data: bytes, parentElement, setTriggerValue }) {
  const data = JSON.parse(new TextDecoder().decode(bytes));
  const root = parentElement.querySelector(".table-view");
  let view = views.get(root);
  const isNew = view?.markup !== data.markup;
  const isOtherExcerpt = isNew && view?.of === data.table;
  if (isNew) {
    view = draw(root, data.markup);
    view.of = data.table;
    views.set(root, view);
  }
  view.report = ({ row, column }) => setTriggerValue("click", { table: data.table, row, column });
  view.scroller.style.maxHeight = data.height === null ? "" : `${data.height}px`;
  if (changed(view, "scores", data.scores)) showScores(view, data.scores);
  if (changed(view, "marks", [data.marks, data.names, data.numbers])) {
    showMarks(view, data.marks, data.names, data.numbers);
    showLegend(view, data.names);
    const first = data.marks.predicted[0] ?? data.marks.gold[0] ?? data.marks.other[0];
    const shown = (isOtherExcerpt && data.selected) || first;
    if (shown) {
      view.revealed = cellAt(view, toLocation(shown));
      reveal(view, view.revealed);
    }
  }
  if (changed(view, "selected", data.selected)) select(view, data.selected && toLocation(data.selected));
  if (isNew) {
    const first = data.selected ?? data.marks.predicted[0] ?? data.marks.gold[0];
    makeCurrent(view, first ? toLocation(first) : firstLocation(view));
    if (view.hadFocus) view.current?.focus({ preventScroll: true });
  }
}

// ---- drawing

function draw(root, markup) {
  const hadFocus = root.matches(":focus-within");
  const scroller = document.createElement("div");
  scroller.className = "scroller";
  scroller.innerHTML = markup;
  const edges = document.createElement("div");
  edges.className = "edges";
  edges.append(scroller);
  const legend = document.createElement("div");
  legend.className = "legend";
  root.replaceChildren(edges, legend);

  const table = scroller.firstElementChild;
  const leaves = [...table.querySelectorAll("thead th[data-column]")];
  const view = {
    markup,
    hadFocus,
    edges,
    scroller,
    legend,
    table,
    columnHeaders: leaves.sort((a, b) => a.dataset.column - b.dataset.column),
    columnSpans: [...table.querySelectorAll("thead th")].map(extentOf("column")),
    rowSpans: [...table.querySelectorAll("tbody th")].map(extentOf("row")),
    ...rowsOf(table),
    shown: {},
    undoMarks: [],
    revealed: null,
    current: null,
  };
  const first = view.rows[view.drawn[0]];
  view.stub = first?.firstElementChild.tagName === "TH" ? 1 : 0;
  view.nColumns = first ? first.cells.length - view.stub : leaves.length;

  table.onclick = (event) => {
    const cell = event.target.closest("[data-row], [data-column]");
    if (cell) choose(view, locationOf(cell));
  };
  table.onkeydown = (event) => onKey(view, event);
  scroller.onscroll = () => showEdges(view);
  const fit = () => {
    fitStickyParts(view);
    showEdges(view);
    // A mark stays in sight where the view gets smaller, until the person looks elsewhere.
    reveal(view, view.revealed);
  };
  fit();
  for (const event of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    scroller.addEventListener(event, () => (view.revealed = null), { passive: true });
  }
  const resizes = new ResizeObserver(fit);
  resizes.observe(scroller);
  resizes.observe(table);
  return view;
}

/** The lines of the rows by row, with holes where a large table leaves rows out, and the rows that are drawn. */
function rowsOf(table) {
  const rows = [];
  for (const line of table.querySelectorAll("tbody tr:not(.crosshead, .empty, .gap)")) {
    const row = line.firstElementChild?.dataset.row;
    if (row !== undefined) rows[row] = line;
  }
  return { rows, drawn: Object.keys(rows).map(Number) };
}

function extentOf(axis) {
  return (header) => ({
    header,
    first: Number(header.dataset.first ?? header.dataset[axis]),
    last: Number(header.dataset.last ?? header.dataset[axis]),
  });
}

/** Sticky parts that would fill the view scroll with the rest instead. */
function fitStickyParts({ edges, scroller, table, rows, drawn, stub }) {
  const head = table.tHead?.offsetHeight ?? 0;
  const hasStub = stub || table.classList.contains("stub-column");
  const side = hasStub ? (rows[drawn[0]]?.firstElementChild.offsetWidth ?? 0) : 0;
  const headSticks = head < scroller.clientHeight * 0.6;
  const stubSticks = side < scroller.clientWidth * 0.6;
  table.classList.toggle("loose-head", !headSticks);
  table.classList.toggle("loose-stub", !stubSticks);
  scroller.style.scrollPaddingTop = `${headSticks ? head : 0}px`;
  scroller.style.scrollPaddingLeft = `${stubSticks ? side : 0}px`;
  edges.style.setProperty("--stub-width", scroller.style.scrollPaddingLeft);
}

/** Whether columns lie hidden to the left or the right. */
function showEdges({ edges, scroller }) {
  const hidden = scroller.scrollWidth - scroller.clientWidth;
  edges.classList.toggle("more-left", scroller.scrollLeft > 1);
  edges.classList.toggle("more-right", scroller.scrollLeft < hidden - 1);
}

function changed(view, name, value) {
  const text = JSON.stringify(value);
  if (view.shown[name] === text) return false;
  view.shown[name] = text;
  return true;
}

// ---- locations

const toLocation = ([row, column]) => ({ row, column });

function locationOf(cell) {
  const { row, column } = cell.dataset;
  return { row: row === undefined ? null : Number(row), column: column === undefined ? null : Number(column) };
}

function cellAt({ rows, columnHeaders, stub }, { row, column }) {
  if (row === null) return columnHeaders[column];
  if (column === null) return stub ? rows[row]?.firstElementChild : undefined;
  return rows[row]?.cells[column + stub];
}

function firstLocation(view) {
  if (view.drawn.length) return { row: view.drawn[0], column: view.nColumns ? 0 : null };
  return { row: null, column: 0 };
}

const over = (spans, index) =>
  index === null ? [] : spans.filter(({ first, last }) => first <= index && index <= last).map((s) => s.header);

/** The header cells that lead to a location: its row's, then its column's, root first. */
function headersOf(view, { row, column }) {
  return [...over(view.rowSpans, row), ...over(view.columnSpans, column)];
}

function textOf(cell) {
  const holder = cell.querySelector(":scope > .label") ?? cell;
  return [...holder.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("");
}

/** "Operating revenue, Passenger, 2018: $1,694 (gold)" */
function describe(view, cell) {
  const location = locationOf(cell);
  const labels = headersOf(view, location).map((header) => textOf(header).trim().replace(/[,:]+$/, ""));
  const path = labels.filter(Boolean).join(", ");
  const isCell = location.row !== null && location.column !== null;
  const text = isCell ? textOf(cell).trim() || "empty" : "";
  const words = cell.querySelector(":scope > .badge")?.textContent;
  return [path, text].filter(Boolean).join(": ") + (words ? ` (${words})` : "");
}

// ---- marks

const KINDS = ["gold", "predicted", "other"];

const styleOf = (kinds) =>
  kinds.has("gold") && kinds.size > 1 ? "agree" : ["predicted", "gold", "other"].find((kind) => kinds.has(kind));

const wordsOf = (kinds, names) => KINDS.filter((kind) => kinds.has(kind)).map((kind) => names[kind]).join(" = ");

function showMarks(view, marks, names, numbers) {
  for (const undo of view.undoMarks) undo();
  view.undoMarks = [];
  const kindsOf = new Map();
  const pathKindsOf = new Map();
  for (const kind of KINDS) {
    for (const location of marks[kind].map(toLocation)) {
      const cell = cellAt(view, location);
      if (cell) addTo(kindsOf, cell, kind);
      for (const header of headersOf(view, location)) if (header !== cell) addTo(pathKindsOf, header, kind);
    }
  }
  const numberOf = new Map(numbers.map(([row, column, text]) => [cellAt(view, { row, column }), text]));
  for (const [header, kinds] of pathKindsOf) {
    header.dataset.path = styleOf(kinds);
    view.undoMarks.push(() => delete header.dataset.path);
  }
  for (const [cell, kinds] of kindsOf) {
    cell.dataset.mark = styleOf(kinds);
    const badge = document.createElement("span");
    badge.className = "badge";
    badge.textContent = [wordsOf(kinds, names), numberOf.get(cell)].filter(Boolean).join(" ");
    cell.append(badge);
    cell.setAttribute("aria-label", describe(view, cell));
    view.undoMarks.push(() => {
      delete cell.dataset.mark;
      badge.remove();
      if (cell !== view.current) cell.removeAttribute("aria-label");
    });
  }
  view.markStyles = new Map([...kindsOf.values()].map((kinds) => [styleOf(kinds) + wordsOf(kinds, names), kinds]));
  if (view.current) view.current.setAttribute("aria-label", describe(view, view.current));
}

function addTo(map, key, kind) {
  if (!map.has(key)) map.set(key, new Set());
  map.get(key).add(kind);
}

// ---- score map

function showScores(view, scores) {
  view.table.classList.toggle("scored", scores !== null);
  const rowScores = scores?.rows ?? [];
  const columnScores = scores?.columns ?? [];
  const rowHeat = scale(rowScores);
  const columnHeat = scale(columnScores);
  const sums = scale([extreme(Math.min, rowScores, columnScores), extreme(Math.max, rowScores, columnScores)]);
  view.rows.forEach((line, row) => {
    if (view.stub) heat(line.firstElementChild, rowScores[row], rowHeat, "row score");
    for (let column = 0; column < view.nColumns; column++) {
      const known = isNumber(rowScores[row]) || isNumber(columnScores[column]);
      const sum = known ? (rowScores[row] ?? 0) + (columnScores[column] ?? 0) : null;
      heat(line.cells[column + view.stub], sum, sums, "row + column score");
    }
  });
  view.columnHeaders.forEach((header, column) => heat(header, columnScores[column], columnHeat, "column score"));
}

const isNumber = (value) => typeof value === "number";

function extreme(choose, ...axes) {
  return axes.map((axis) => axis.filter(isNumber)).reduce((sum, axis) => sum + (axis.length ? choose(...axis) : 0), 0);
}

/** Scores to 0..1 between the lowest and the highest of them. */
function scale(scores) {
  const known = scores.filter(isNumber);
  const low = Math.min(...known);
  const range = Math.max(...known) - low;
  return (score) => (range > 0 ? (score - low) / range : 0);
}

function heat(cell, score, toHeat, what) {
  if (isNumber(score)) {
    cell.style.setProperty("--heat", toHeat(score).toFixed(3));
    cell.title = `${what} ${formatScore(score)}`;
  } else {
    cell.style.removeProperty("--heat");
    cell.removeAttribute("title");
  }
}

const formatScore = (score) => score.toLocaleString("en", { maximumSignificantDigits: 4 });

// ---- legend

function showLegend(view, names) {
  const entries = [...(view.markStyles?.values() ?? [])].map((kinds) => {
    const entry = document.createElement("span");
    const frame = document.createElement("span");
    frame.className = "frame";
    frame.dataset.mark = styleOf(kinds);
    entry.append(frame, wordsOf(kinds, names));
    return entry;
  });
  if (entries.length) {
    const note = document.createElement("span");
    note.textContent = "underlined: the headers that lead there";
    entries.push(note);
  }
  view.legend.replaceChildren(...entries);
}

// ---- selection and keyboard

function select(view, location) {
  view.selected?.removeAttribute("aria-selected");
  view.selected = location ? cellAt(view, location) : undefined;
  if (!view.selected) return;
  view.selected.setAttribute("aria-selected", "true");
  makeCurrent(view, location);
}

function choose(view, location) {
  makeCurrent(view, location);
  view.current.focus({ preventScroll: true });
  view.report(location);
}

/** The one cell that the Tab key reaches. */
function makeCurrent(view, location) {
  const cell = cellAt(view, location);
  if (!cell || cell === view.current) return;
  view.current?.removeAttribute("tabindex");
  if (view.current && !view.current.dataset.mark) view.current.removeAttribute("aria-label");
  cell.tabIndex = 0;
  cell.setAttribute("aria-label", describe(view, cell));
  view.current = cell;
}

const PAGE = 10;
const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE, 0],
  PageDown: [PAGE, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

function onKey(view, event) {
  const cell = event.target.closest("[data-row], [data-column]");
  if (!cell || event.altKey || event.metaKey) return;
  const here = locationOf(cell);
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(view, here);
  } else if (event.key in STEPS) {
    event.preventDefault();
    let [down, right] = STEPS[event.key];
    if (event.ctrlKey && !down) down = right; // Ctrl+Home and Ctrl+End: the corners
    const there = stepped(view, here, down, right);
    const target = there && cellAt(view, there);
    if (target) {
      makeCurrent(view, there);
      target.focus();
    }
  }
}

/** Headers lie one step before the first row and column; null for the corner between them. */
function stepped(view, { row, column }, down, right) {
  const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
  let r = view.drawn.indexOf(row) + down;
  let c = (column ?? -1) + right;
  r = clamp(r, view.columnHeaders.length && Math.abs(down) <= 1 ? -1 : 0, view.drawn.length - 1);
  c = clamp(c, view.stub ? -1 : 0, view.nColumns - 1);
  if (row === null && !down) r = -1;
  if (r < 0 && c < 0) return null;
  return { row: r < 0 ? null : view.drawn[r], column: c < 0 ? null : c };
}

/** Scroll the view, and only the view, until a cell shows. */
function reveal({ scroller }, cell) {
  if (!cell) return;
  const frame = scroller.getBoundingClientRect();
  const box = cell.getBoundingClientRect();
  const top = frame.top + parseFloat(scroller.style.scrollPaddingTop || 0);
  const left = frame.left + parseFloat(scroller.style.scrollPaddingLeft || 0);
  if (box.top < top || box.bottom > frame.bottom) {
    scroller.scrollTop += box.top - (top + frame.bottom - box.height) / 2;
  }
  if (box.left < left || box.right > frame.right) {
    scroller.scrollLeft += box.left - (left + frame.right - box.width) / 2;
  }
}
