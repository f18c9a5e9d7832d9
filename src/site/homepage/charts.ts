/** Figures → two small bar charts, drawn like the other pictures. */
import type { Differences } from './content-differences.ts'
import { escape } from './markup.ts'

/** One bar: the identical part and, beside it, what differs on purpose. */
export function share({ identical, deliberate }: Differences['manifests']['walks']): string {
  const whole = identical + deliberate
  const percent = Math.round((identical / whole) * 1000) / 10
  return `<svg class="picture" role="img" aria-labelledby="share-title" width="100%" height="12" fill="currentColor">
<title id="share-title">${identical} of ${whole} walks are identical, ${deliberate} differ on purpose</title>
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
