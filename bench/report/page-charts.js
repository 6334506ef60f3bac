// Runs in the report page: draws line charts with uPlot, which is inlined before this script.
for (const place of document.querySelectorAll('[data-chart]')) {
  const folded = place.closest('details')
  if (folded) folded.addEventListener('toggle', () => draw(place), { once: true })
  else draw(place)
}

function draw(place) {
  const { xLabel, yLabel, x, lines, log } = JSON.parse(place.dataset.chart)
  const colours = ['#c2410c', '#336791', '#6d28d9', '#0f766e', '#a16207', '#be185d', '#475569', '#15803d', '#1d4ed8']
  const short = (value) =>
    value >= 1000 ? `${(value / 1000).toLocaleString('en-US')}k` : value.toLocaleString('en-US')
  const options = {
    width: place.clientWidth,
    height: 220,
    scales: { x: { time: false }, y: log ? { distr: 3 } : { range: (_, __, max) => [0, max * 1.1] } },
    axes: [
      {
        label: xLabel,
        labelSize: 18,
        // Rounds and requests are whole numbers.
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
        size: 36,
        font: '12px system-ui',
        labelFont: '12px system-ui',
        grid: { show: false },
      },
      {
        size: 54,
        font: '12px system-ui',
        values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : short(tick))),
        grid: { stroke: '#e6eaed', width: 1 },
      },
    ],
    series: [
      { label: xLabel },
      ...lines.map(({ name }, index) => ({
        label: name,
        stroke: colours[index % colours.length],
        width: 2,
        points: { size: 6 },
        value: (_, value) =>
          value === null || value === undefined
            ? '–'
            : `${Number(value.toPrecision(3)).toLocaleString('en-US')} ${yLabel}`,
      })),
    ],
  }
  const chart = new uPlot(options, [x, ...lines.map(({ values }) => values)], place)
  addEventListener('resize', () => chart.setSize({ width: place.clientWidth, height: 220 }))
}
