// Streamlit's page has one Plotly for all of its charts, with which they are drawn once more for a file.

export default function ({ data: bytes, parentElement }) {
  const file = JSON.parse(new TextDecoder().decode(bytes));
  const root = parentElement.querySelector(".chart-files");
  const buttons = ["png", "svg"].map((format) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = format.toUpperCase();
    button.setAttribute("aria-label", `${format.toUpperCase()} of the chart above`);
    button.onclick = () => {
      const plot = chartAbove(root);
      const ground = getComputedStyle(root).getPropertyValue("--st-background-color");
      if (plot && window.Plotly) saveChart(plot, file, format, ground);
    };
    return button;
  });
  root.replaceChildren(...buttons);
}

function chartAbove(root) {
  let element = root.getRootNode().host?.closest(".stElementContainer");
  while ((element = element?.previousElementSibling)) {
    const plot = element.querySelector(".js-plotly-plot");
    if (plot) return plot;
  }
  return null;
}
