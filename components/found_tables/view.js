// The markup arrives escaped and is the only HTML made here.

const drawn = new WeakMap();

export default function ({ data: bytes, parentElement, setTriggerValue }) {
  const { markup } = JSON.parse(new TextDecoder().decode(bytes));
  const root = parentElement.querySelector(".found");
  if (drawn.get(root) !== markup) {
    const list = document.createElement("ol");
    list.innerHTML = markup;
    root.replaceChildren(list);
    drawn.set(root, markup);
  }
  const buttons = [...root.querySelectorAll("button")];
  root.onclick = (event) => {
    const button = event.target.closest("button");
    if (button) setTriggerValue("choose", Number(button.dataset.index));
  };
  root.onkeydown = (event) => {
    const place = buttons.indexOf(event.target.closest("button"));
    if (place < 0 || event.altKey || event.metaKey || event.ctrlKey) return;
    const across = Math.max(1, buttons.filter((button) => button.offsetTop === buttons[0].offsetTop).length);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key];
    const next = step && buttons[place + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
}
