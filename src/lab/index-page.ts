/** The dialect table → the index, as JSON for programs and as a page for people. */
import { type Dialect, dialects, everywhere } from './dialects.ts'
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
<p>Every dialect takes <code>?size=N</code>, the number of records, and <code>?latency=MS</code>, a wait before the answer.</p>
<table>
<thead><tr><th>Endpoint<th>Pages by<th>Parameters<th>Try</thead>
<tbody>
${dialects.map((dialect) => rowOf(dialect, origin)).join('\n')}
</tbody>
</table>
<p>Behind a credential: put one of these before any path.</p>
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

/** The URL is quoted: a shell would read `?`, `&` and `$`. */
function curlOf(dialect: Dialect, origin: string): string {
  const target = targetOf(dialect)
  return `curl '${origin}${target}'${dialect.try.slice(target.length)}`
}

function targetOf(dialect: Dialect): string {
  return dialect.try.replace(/ .*/, '')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
