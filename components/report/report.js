// Draws the charts of a report from the JSON that they carry; without it their figures stand there as tables.

for (const picture of document.querySelectorAll("figure.picture")) {
  const plot = picture.querySelector(".plot");
  const { data, layout } = JSON.parse(plot.dataset.chart);
  window.Plotly.newPlot(plot, data, layout, { displayModeBar: false });
  picture.querySelector("details").open = false;
  for (const button of picture.querySelectorAll("button")) {
    button.hidden = false;
    button.onclick = () => saveChart(plot, JSON.parse(plot.dataset.file), button.dataset.format, "#ffffff");
  }
}
