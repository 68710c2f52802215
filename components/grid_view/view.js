// The markup arrives escaped and is the only HTML made here.

const views = new WeakMap();

export default function ({ data: bytes, parentElement, setTriggerValue }) {
  const data = JSON.parse(new TextDecoder().decode(bytes));
  const root = parentElement.querySelector(".grid-view");
  const former = views.get(root);
  const view = former?.markup === data.markup ? former : draw(root, data.markup, former);
  views.set(root, view);
  view.report = (line) => setTriggerValue("click", line);
  select(view, data.selected);
  mark(view, data.marked);
  // Who comes by a link to one cell gets to see it; later the page stays where it is.
  if (!former) root.querySelector("[data-mark]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function draw(root, markup, former) {
  const hadFocus = root.contains(root.getRootNode().activeElement);
  const scroller = document.createElement("div");
  scroller.className = "scroller";
  scroller.innerHTML = markup;
  root.replaceChildren(scroller);
  if (former) scroller.scrollTo(former.scroller.scrollLeft, former.scroller.scrollTop);
  const heads = [...scroller.querySelectorAll("tbody th[data-row]")];
  const columns = [...scroller.querySelectorAll("thead th[data-column]")];
  const view = { markup, scroller, heads, columns, marks: "", selected: "", hadFocus };
  makeCurrent(view, heads[0] ?? columns[0]);
  scroller.onclick = (event) => {
    const head = event.target.closest("th") ?? event.target.closest("tr")?.querySelector("th[data-row]");
    if (head && scroller.contains(head)) choose(view, head);
  };
  scroller.onkeydown = (event) => onKey(view, event);
  return view;
}

function lineOf(head) {
  const axis = head.dataset.row === undefined ? "column" : "row";
  return { axis, place: Number(head.dataset[axis]) };
}

function choose(view, head) {
  makeCurrent(view, head);
  head.focus({ preventScroll: true });
  view.report(lineOf(head));
}

/** The one head that the Tab key reaches. */
function makeCurrent(view, head) {
  if (!head) return;
  view.current?.removeAttribute("tabindex");
  head.tabIndex = 0;
  view.current = head;
}

function onKey(view, event) {
  const head = event.target.closest("th");
  if (!head || event.altKey || event.metaKey || event.ctrlKey) return;
  const isRow = head.dataset.row !== undefined;
  const line = isRow ? view.heads : view.columns;
  const place = line.indexOf(head);
  const steps = {
    ArrowDown: isRow ? line[place + 1] : view.heads[0],
    ArrowUp: isRow ? (line[place - 1] ?? view.columns[0]) : undefined,
    ArrowRight: isRow ? view.columns[0] : line[place + 1],
    ArrowLeft: isRow ? undefined : line[place - 1],
    Home: line[0],
    End: line.at(-1),
  };
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(view, head);
  } else if (event.key in steps) {
    event.preventDefault();
    const next = steps[event.key];
    if (!next) return;
    makeCurrent(view, next);
    next.focus();
  }
}

function select(view, selected) {
  const wanted = JSON.stringify(selected);
  if (view.selected === wanted) return;
  view.selected = wanted;
  for (const old of view.scroller.querySelectorAll("[aria-selected]")) old.removeAttribute("aria-selected");
  if (!selected) return;
  const [axis, place] = selected;
  const head = view.scroller.querySelector(`th[data-${axis}="${place}"]`);
  if (!head) return;
  (axis === "row" ? head.parentElement : head).setAttribute("aria-selected", "true");
  makeCurrent(view, head);
  if (view.hadFocus) head.focus({ preventScroll: true });
  bring(view, head);
}

function mark(view, marked) {
  const wanted = JSON.stringify(marked);
  if (view.marks === wanted) return;
  view.marks = wanted;
  for (const old of view.scroller.querySelectorAll("[data-mark]")) delete old.dataset.mark;
  const cells = marked.map(([row, column]) => view.scroller.querySelector(`[data-at="${row},${column}"]`));
  const there = cells.filter(Boolean);
  for (const cell of there) cell.dataset.mark = "origin";
  if (there.length) bring(view, there.at(-1));
}

/** Scroll inside the view only, where something is out of sight. */
function bring({ scroller }, cell) {
  const box = scroller.getBoundingClientRect();
  const at = cell.getBoundingClientRect();
  const head = 34;
  const side = cell.matches("th[data-row]") ? 0 : (scroller.querySelector("tbody th")?.offsetWidth ?? 0);
  if (at.top < box.top + head || at.bottom > box.bottom) {
    scroller.scrollTop += at.top - box.top - scroller.clientHeight / 2;
  }
  if (side && (at.left < box.left + side || at.right > box.right)) {
    scroller.scrollLeft += at.right - box.left - scroller.clientWidth * 0.75;
  }
}
