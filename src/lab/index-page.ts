/** The tables of dialects and faults → the index, as JSON for programs and as a page for people. */
import { type Dialect, dialects, dialectsOf, everywhere } from './dialects.ts'
import { faultPath, faults } from './faults.ts'
import type { Fault } from './faults/fault.ts'
import { schemes } from './secure.ts'

const name = 'Turnleaf lab'

/** What `GET /` answers to a program. */
export function indexOf(origin: string) {
  return {
    name,
    dialects: dialects.map((dialect) => ({
      path: dialect.path,
      method: dialect.method,
      kind: dialect.kind,
      parameters: [...dialect.parameters, ...everywhere],
      try: curlOf(dialect, origin),
    })),
    faults: faults.map((fault) => ({
      name: fault.name,
      says: fault.says,
      survive: fault.survive,
      path: faultPath(fault),
      parameters: Object.keys(fault.parameters ?? {}),
      dialects: dialectsOf(fault).map(({ path }) => path),
    })),
    secure: Object.entries(schemes).map(([scheme, { wanted }]) => ({ path: `/secure/${scheme}/…`, send: wanted })),
  }
}

/** Whether an Accept header puts HTML before JSON. Programs that take anything get JSON. */
export function prefersHtml(accept = ''): boolean {
  return qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json')
}

function qualityOf(accept: string, type: string): number {
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
  // The most specific range counts: RFC 9110, 12.5.1.
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find(([named]) => named === wanted)
    if (range) return Number(range.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
  }
  return 0
}

/** What `GET /` answers to a browser: one page, no other file. */
export function indexHtml(origin: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>
  :root { color-scheme: light dark; --line: light-dark(#d8dcd6, #3a403a); --leaf: light-dark(#2f6b3a, #8fcf9b) }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 3rem auto; padding: 0 1rem }
  table { border-collapse: collapse; width: 100%; font-size: .9rem }
  th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-top: 1px solid var(--line) }
  code { font: .85rem ui-monospace, monospace; overflow-wrap: anywhere }
  a { color: var(--leaf) }
</style>
<h1>${name}</h1>
<p>A local API that speaks every pagination dialect. Its records are computed, never stored.</p>
<p>Every dialect takes <code>?size=N</code>, the number of records, and <code>?latency=MS</code>, a wait before the response.</p>
<table>
<thead><tr><th>Endpoint<th>Pages by<th>Parameters<th>Try</thead>
<tbody>
${dialects.map((dialect) => rowOf(dialect, origin)).join('\n')}
</tbody>
</table>
<h2>Faults on command</h2>
<p>Put <code>/faults/NAME</code> before the path of a dialect. A list of fewer than three pages hides most of them.</p>
<table>
<thead><tr><th>Fault<th>The API<th>To survive it<th>Not for</thead>
<tbody>
${faults.map(faultRow).join('\n')}
</tbody>
</table>
<h2>With a credential</h2>
<p>Put one of these before any path, faults included.</p>
<ul>
${Object.entries(schemes)
  .map(([scheme, { wanted }]) => `<li><code>/secure/${scheme}</code>: send <code>${escapeHtml(wanted)}</code>`)
  .join('\n')}
</ul>
</html>
`
}

function rowOf(dialect: Dialect, origin: string): string {
  const endpoint = `<code>${dialect.method} ${escapeHtml(dialect.path)}</code>`
  const target = escapeHtml(targetOf(dialect))
  const parameters = dialect.parameters.map((parameter) => `<code>${escapeHtml(parameter)}</code>`).join(' ')
  return `<tr><td>${dialect.method === 'GET' ? `<a href="${target}">${endpoint}</a>` : endpoint}<td>${escapeHtml(dialect.kind)}<td>${parameters}<td><code>${escapeHtml(curlOf(dialect, origin))}</code>`
}

function faultRow(fault: Fault): string {
  const suiting = dialectsOf(fault)
  const others = dialects.filter((dialect) => !suiting.includes(dialect)).map(({ path }) => path)
  const target = escapeHtml(targetOf(suiting[0] as Dialect))
  const address = `<a href="/faults/${fault.name}${target}"><code>${fault.name}</code></a>`
  const cells = [
    address,
    inCode(fault.says),
    inCode(fault.survive),
    others
      .map((path) => `\`${path}\``)
      .map(inCode)
      .join(' '),
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}`).join('')}`
}

function inCode(text: string): string {
  return escapeHtml(text).replace(/&#96;([^&]*)&#96;/g, '<code>$1</code>')
}

/** The URL is quoted: a shell would read `?`, `&` and `$`. */
function curlOf(dialect: Dialect, origin: string): string {
  const target = targetOf(dialect)
  return `curl '${origin}${target}'${dialect.try.slice(target.length)}`
}

function targetOf(dialect: Dialect): string {
  return dialect.try.replace(/ .*/, '')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
