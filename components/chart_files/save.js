/** Save a Plotly chart as an image, under its title, as it looks on a ground of the given colour. */
async function saveChart(plot, { title, about, name }, format, ground) {
  const head = 58;
  const shown = plot.getBoundingClientRect();
  const [width, height] = [Math.max(shown.width, 640), shown.height + head];
  const layout = {
    ...plot.layout,
    width,
    height,
    autosize: false,
    // A font of the page is none in a file: its texts would outgrow the room that was measured for them.
    font: { ...plot.layout.font, family: "Arial, Helvetica, sans-serif" },
    margin: { ...plot.layout.margin, t: (plot.layout.margin?.t ?? 0) + head },
    title: {
      text: title,
      font: { size: 15 },
      subtitle: { text: about, font: { size: 11 } },
      ...{ x: 0, xref: "container", xanchor: "left", y: 1, yref: "container", yanchor: "top" },
      pad: { t: 12, l: 8 },
    },
    paper_bgcolor: ground,
    plot_bgcolor: "rgba(0,0,0,0)",
  };
  const size = { format, width, height, scale: format === "png" ? 2 : 1 };
  const link = document.createElement("a");
  link.href = await window.Plotly.toImage({ data: plot.data, layout }, size);
  link.download = `${name}.${format}`;
  link.click();
}
