/** Figures of several readers → a bar chart as an SVG file of its own, once for light and once for dark pages, which show through. */
import { type Scheme, palette } from '../tokens.ts'
import { escape } from '../markup.ts'

export type PeerBar = { readonly label: string; readonly value: number; readonly isOurs: boolean }

export type PeerChart = {
  /** Part of its file name. */
  readonly id: string
  readonly title: string
  readonly subtitle: string
  readonly bars: readonly PeerBar[]
}

/** As benchmarks/peers/ writes it. */
export type PeerFigures = {
  readonly date: string
  readonly machine: string
  /** Names with their versions. */
  readonly versions: readonly string[]
  readonly charts: readonly PeerChart[]
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
}

export function chartFile({ id }: PeerChart, scheme: Scheme): string {
  return `speed-${id}-${scheme}.svg`
}

/** A phone of 390 px shows it with 326: text of 15 is then read as 12. */
const width = 400
const top = 62
const rowHeight = 42

export const chartSize = (chart: PeerChart) => ({ width, height: top + chart.bars.length * rowHeight + 28 })

export function drawChart(chart: PeerChart, scheme: Scheme): string {
  const { title, subtitle, bars } = chart
  const { height } = chartSize(chart)
  const colour = (name: keyof typeof palette) => palette[name][scheme]
  const scale = axisOf(Math.max(...bars.map(({ value }) => value)))
  const x = (value: number) => Math.round((value / scale.end) * width * 10) / 10
  const rows = bars.map(({ label, value, isOurs }, index) => {
    const y = top + index * rowHeight
    const [look, bar] = isOurs
      ? [`font-weight="600" fill="${colour('leaf')}"`, colour('leaf')]
      : [`fill="${colour('ink')}"`, colour('edge')]
    return `<text y="${y + 15}" ${look}>${escape(label)}</text><text x="${width}" y="${y + 15}" text-anchor="end" ${look}>${counted(value)}</text>
<rect y="${y + 22}" width="${Math.max(x(value), 1)}" height="10" fill="${bar}"/>`
  })
  const axisY = top + bars.length * rowHeight + 0.5
  const ticks = scale.ticks.map((tick) => {
    const anchor = tick === 0 ? 'start' : tick === scale.end ? 'end' : 'middle'
    const at = Math.min(Math.max(x(tick), 0.5), width - 0.5)
    return `<path d="M${at} ${axisY}v5" stroke="${colour('edge')}"/><text x="${x(tick)}" y="${axisY + 21}" text-anchor="${anchor}" fill="${colour('faint')}">${counted(tick)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="system-ui, -apple-system, sans-serif" font-size="15">
<title id="title">${escape(chartText(chart))}</title>
<text y="18" font-size="17" font-weight="600" fill="${colour('ink')}">${escape(title)}</text>
<text y="41" fill="${colour('soft')}">${escape(subtitle)}</text>
${rows.join('\n')}
<path d="M0 ${axisY}h${width}" stroke="${colour('edge')}"/>
${ticks.join('\n')}
</svg>
`
}

/** For those who do not see it. */
export function chartText({ title, subtitle, bars }: PeerChart): string {
  return `${title}, ${subtitle}: ${bars.map(({ label, value }) => `${label} ${counted(value)}`).join(', ')}.`
}

function counted(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** From 0 to the next round number, in at most three equal steps: more labels would not fit. */
function axisOf(highest: number): { end: number; ticks: number[] } {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(highest, 1)))
  const step = [0.5, 1, 2.5, 5].map((one) => one * magnitude).find((one) => highest / one <= 3) ?? magnitude * 5
  const count = Math.max(1, Math.ceil(highest / step))
  return { end: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) }
}
