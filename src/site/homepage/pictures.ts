/**
 * Pages and messages → inline SVG. Widths are percentages and text keeps its size, so a picture is as readable on a
 * phone as on a wall. Attributes alone carry the drawing; the style sheet adds colour and movement.
 */
import type { Differences } from './content-differences.ts'
import type { ShownRequestLine, ShownMethod, ShownRead } from './content-methods.ts'
import { escape, mark } from '../markup.ts'

const picture = (id: string, height: number, title: string, description: string, drawing: string) =>
  `<svg class="picture" role="img" aria-labelledby="${id}-title ${id}-desc" width="100%" height="${height}" font-size="12" font-family="ui-monospace, monospace" fill="currentColor">
<title id="${id}-title">${escape(title)}</title><desc id="${id}-desc">${escape(description)}</desc>
${drawing}
</svg>`

const span = (part: string) => `<tspan class="mark">${part}</tspan>`

/** A page with a turned corner, and its number. */
const sheet = (number: number, y: number) =>
  `<path class="leaf" d="M.5 ${y + 2.5}h10l5 5v14h-15z" fill="none" stroke="currentColor"/><path class="leaf" d="M10.5 ${y + 2.5}v5h5" fill="none" stroke="currentColor"/><text class="number" x="8" y="${y + 18}" text-anchor="middle" font-size="11">${number}</text>`

/** Where text and bars begin, right of the sheets. */
const indent = 'transform="translate(32 0)"'
/** Percent of the width. */
const timeline = 50
const rowHeight = 68

/** Requests on a time axis, each with its token in and out; the last one shows the stop reason. */
export function waterfall({ stream, method, pages, stop, total }: ShownRead): string {
  const wholeMs = pages.reduce((sum, { tookMs }) => sum + tookMs, 0)
  const percent = (ms: number) => Math.round((ms / wholeMs) * timeline * 10) / 10
  let startMs = 0
  const rows = pages.map(({ request, marked, records, token, tookMs }, index) => {
    const y = index * rowHeight
    const from = percent(startMs)
    startMs += tookMs
    const rail = `<line class="rail" x1="8" x2="8" y1="${y + 25}" y2="${y + rowHeight - 3}" stroke="currentColor" marker-end="url(#tip)"/>`
    return `<g class="turn t${index}">
${sheet(index + 1, y)}
${rail}
<text class="soft" x="100%" y="${y + 16}" text-anchor="end">${escape(records)}</text>
<g ${indent}><text y="${y + 16}">${mark(request, marked, span)}</text>
<rect class="track" y="${y + 31}" width="${timeline}%" height="6" rx="3" fill="none"/>
<rect class="bar" x="${from}%" y="${y + 31}" width="${percent(tookMs)}%" height="6" rx="3"/>
<text class="faint" x="${timeline}%" dx="10" y="${y + 38}">${tookMs} ms</text></g>
<text class="soft" x="100%" y="${y + 38}" text-anchor="end">${escape(token)}</text>
</g>`
  })
  const end = pages.length * rowHeight
  const description = `${pages
    .map(({ request, records, token, tookMs }) => `GET ${request}: ${records}, token ${token}, ${tookMs} ms.`)
    .join(' ')} Stopped: ${stop}. ${total}.`
  return picture(
    'walk',
    end + 24,
    `${stream}, ${method}, page by page`,
    description,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M2 1.500 8 4 2 6.500z"/></marker></defs>
${rows.join('\n')}
<g class="turn t${pages.length}"><rect class="stop" x="2" y="${end + 4}" width="12" height="12" rx="2"/>
<text class="mark" x="32" y="${end + 14}">${escape(stop)}</text>
<text class="soft" x="100%" y="${end + 14}" text-anchor="end">${escape(total)}</text></g>`,
  )
}

/** Pages that repeat earlier pages: why the read is stopped. */
export function circles(pages: readonly ShownRequestLine[]): string {
  const rows = pages.map(({ request, marked, records }, index) => {
    const y = index * 36
    const rail = `<line class="rail" x1="8" x2="8" y1="${y + 24}" y2="${y + 36}" stroke="currentColor"/>`
    return `${sheet(index + 1, y)}${index < pages.length - 1 ? rail : ''}
<text x="32" y="${y + 17}">${mark(request, marked, span)}</text><text class="${index === 0 ? 'soft' : 'warn'}" x="100%" y="${y + 17}" text-anchor="end">${escape(records)}</text>`
  })
  const description = pages.map(({ request, records }) => `GET ${request}: ${records}.`).join(' ')
  return picture('circles', pages.length * 36 - 10, 'Four pages with the same records', description, rows.join('\n'))
}

const step = 34

/** What was asked goes right, what came back goes left, and a square ends it. */
export function conversation({ id, name, messages, stop, first, next, stops }: ShownMethod): string {
  const top = 26
  const lines = messages.map((message, index) => {
    const y = top + step * (index + 1) - 8
    return message.from === 'us'
      ? `<text x="10" y="${y - 7}">${mark(message.text, message.marked, span)}</text><line class="ask" x1="0" x2="100%" y1="${y}" y2="${y}" stroke="currentColor" marker-end="url(#tip)"/>`
      : `<text class="soft" x="100%" dx="-10" y="${y - 7}" text-anchor="end">${escape(message.text)}</text><line class="answer" x1="100%" x2="0" y1="${y}" y2="${y}" stroke="currentColor" stroke-dasharray="2 3" marker-end="url(#tip)"/>`
  })
  const end = top + step * messages.length
  return picture(
    `method-${id}`,
    end + 28,
    `${name}, one request after the other`,
    `First request: ${first}. Next request: ${next}. Stops when ${stops}.`,
    `<text class="faint" x="0" y="11">Turnleaf</text><text class="faint" x="100%" y="11" text-anchor="end">API</text>
<line class="lane" x1="0" x2="0" y1="20" y2="${end + 6}" stroke="currentColor"/><line class="lane" x1="100%" x2="100%" y1="20" y2="${end + 6}" stroke="currentColor"/>
${lines.join('\n')}
<rect class="stop" x="0" y="${end + 10}" width="12" height="12" rx="2"/><text class="mark" x="20" y="${end + 20}">${escape(stop)}</text>`,
  )
}

/** One bar: identical reads, and those that differ on purpose. */
export function share({ identical, deliberate }: Differences['manifests']['reads']): string {
  const whole = identical + deliberate
  const percent = Math.round((identical / whole) * 1000) / 10
  return `<svg class="picture" role="img" aria-labelledby="share-title" width="100%" height="12" fill="currentColor">
<title id="share-title">${identical} of ${whole} reads are identical, ${deliberate} differ on purpose</title>
<rect class="bar" x="0" y="2" width="${percent - 0.4}%" height="8" rx="2"/><rect class="rest" x="${percent}%" y="2" width="${Math.round((100 - percent) * 10) / 10}%" height="8" rx="2"/>
</svg>`
}

/** One bar for each reader, as long as it is fast. */
export function race(scale: string, bars: Differences['speed']['bars']): string {
  const rows = bars.map(({ label, value, ratio }, index) => {
    const y = 32 + index * 44
    const isOurs = index === bars.length - 1
    return `<text x="0" y="${y + 12}"${isOurs ? ' class="ink"' : ' class="soft"'}>${escape(label)}</text><text x="100%" y="${y + 12}" text-anchor="end"${isOurs ? ' class="mark"' : ' class="soft"'}>${escape(value)}</text>
<rect class="${isOurs ? 'bar' : 'rest'}" x="0" y="${y + 20}" width="${ratio * 100}%" height="8" rx="2"/>`
  })
  const title = bars.map(({ label, value }) => `${label} ${value}`).join(', ')
  return `<svg class="picture" role="img" aria-labelledby="race-title" width="100%" height="${bars.length * 44 + 20}" font-size="13" font-family="system-ui, sans-serif" fill="currentColor">
<title id="race-title">${escape(scale)}: ${escape(title)}</title>
<text class="faint" x="0" y="11" font-size="12">${escape(scale)}</text>
${rows.join('\n')}
</svg>`
}
