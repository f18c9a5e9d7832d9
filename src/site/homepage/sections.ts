/** The sections below the fold: words on the left, evidence on the right. */
import { circles, conversation, race, share } from './pictures.ts'
import type { Homepage } from './content.ts'
import type { Differences, Figure, ShownFinding } from './content-differences.ts'
import type { ShownMethod, Section } from './content-methods.ts'
import { escape, inline } from '../markup.ts'
import { chartFile, chartSize } from './peer-picture.ts'
import type { Scheme } from '../tokens.ts'

export function sections(content: Homepage): string {
  const {
    methods,
    loop,
    receipt,
    diagnosis,
    detection,
    landing,
    rules,
    manifests,
    speed,
    peers,
    typescript,
    agents,
    next,
    docs,
  } = content
  return [
    section(methods, `<div class="pair">${methods.methods.map(method).join('\n')}</div>${note(methods.note)}`),
    section(loop, `<div class="panel split"><div>${circles(loop.pages)}</div>${failure(loop.failure)}</div>`),
    section(receipt, ending(receipt)),
    section(diagnosis, `${command(diagnosis.command)}${finding(diagnosis.finding)}${note(diagnosis.note)}`),
    section(detection, `${command(detection.command)}${figures(detection.figures)}${note(detection.note)}`),
    section(
      landing,
      `<div class="pair plain">${landing.places.map(point).join('')}</div>${note(landing.note)}${command(landing.query)}`,
    ),
    section(rules, `<div class="pair plain">${rules.rules.map(point).join('')}</div>`),
    section(
      manifests,
      `${figures(manifests.figures)}${share(manifests.reads)}${note(manifests.reads.caption)}${note(manifests.note)}`,
    ),
    section(
      speed,
      `<div class="panel chart">${race(speed.scale, speed.bars)}</div>${figures(speed.figures)}${note(speed.note)}${nextToOthers(peers)}`,
    ),
    section(typescript, `${program(typescript.code)}${note(typescript.note)}`),
    section(agents, `${command(agents.command)}${addresses(agents.links)}`),
    section(next, `<div class="pair plain">${next.steps.map(point).join('')}</div>`),
    section(docs, `<dl class="rows">${docs.files.map(file).join('')}</dl>`),
  ].join('\n')
}

function section({ id, title, lead }: Section, body: string): string {
  return `<section class="wide" id="${id}" aria-labelledby="${id}-heading">
<div class="side"><h2 id="${id}-heading">${escape(title)}</h2><p>${inline(lead)}</p></div>
<div class="body">${body}</div>
</section>`
}

/** One file for each colour scheme; the style sheet shows the right one, and the browser loads no other. */
function nextToOthers({ lead, charts, note: circumstances }: Homepage['peers']): string {
  const one = ({ chart, alt }: Homepage['peers']['charts'][number], scheme: Scheme) => {
    const { width, height } = chartSize(chart)
    return `<img class="on-${scheme}" src="/${chartFile(chart, scheme)}" alt="${escape(alt)}" width="${width}" height="${height}" loading="lazy">`
  }
  const shown = charts.map((chart) => `<div class="panel">${one(chart, 'light')}${one(chart, 'dark')}</div>`)
  return `<p class="note">${inline(lead)}</p><div class="charts">${shown.join('')}</div>${note(circumstances)}`
}

const command = (text: string) => `<pre class="panel wrap"><code>${escape(text)}</code></pre>`

const note = (text: string) => `<p class="note">${inline(text)}</p>`

const point = ({ title, text }: { title: string; text: string }) =>
  `<div class="point"><h3>${escape(title)}</h3><p>${inline(text)}</p></div>`

function method(shown: ShownMethod): string {
  const { name, first, next, stops } = shown
  const rule = (term: string, text: string) => `<div><dt>${term}</dt><dd>${escape(text)}</dd></div>`
  return `<article class="panel method"><h3>${escape(name)}</h3>
${conversation(shown)}
<dl>${rule('First', first)}${rule('Next', next)}${rule('Stops', stops)}</dl></article>`
}

function failure({ code, message, at, try: hint }: Differences['loop']['failure']): string {
  return `<div class="terminal"><p><strong class="bad">${escape(code)}</strong>: ${escape(message)}</p>
<dl><div><dt>at</dt><dd>${escape(at)}</dd></div><div><dt>try</dt><dd>${escape(hint)}</dd></div></dl></div>`
}

function finding({ code, title, says, fix, retest }: ShownFinding): string {
  const line = (term: string, text: string) => `<div><dt>${term}</dt><dd>${escape(text)}</dd></div>`
  return `<div class="panel terminal finding"><p><strong class="bad">${escape(code)}</strong>: ${escape(title)}</p>
<p>${escape(says)}</p>
<dl>${line('fix', fix)}${line('re-test', retest)}</dl></div>`
}

function ending({ columns, rows, total, receipt, note: words }: Differences['receipt']): string {
  const heads = columns.map((column) => `<th scope="col">${escape(column)}</th>`).join('')
  const lines = rows.map(
    ([first = '', ...rest]) =>
      `<tr><th scope="row">${escape(first)}</th>${rest.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`,
  )
  return `<div class="panel terminal"><table><thead><tr>${heads}</tr></thead><tbody>${lines.join('')}</tbody></table></div>
${note(total)}
${command(receipt)}${note(words)}`
}

function figures(shown: readonly Figure[]): string {
  const one = ({ value, label }: Figure) => `<li><strong>${escape(value)}</strong> ${escape(label)}</li>`
  return `<ul class="figures">${shown.map(one).join('')}</ul>`
}

/** Highlights the two functions. */
function program(code: string): string {
  const shown = escape(code).replace(/\b(?:loadManifest|readRecords)(?=\()/g, '<b>$&</b>')
  return `<pre class="panel" tabindex="0" role="group" aria-label="TypeScript"><code>${shown}</code></pre>`
}

function addresses(links: Homepage['agents']['links']): string {
  const rows = links.map(
    ({ url, label, type, says, isNoPage }) =>
      `<div><dt>${isNoPage === true ? `<code>${escape(url)}</code>` : `<a href="${escape(url)}">${escape(label)}</a>`} <span>${escape(type)}</span></dt><dd>${escape(says)}</dd></div>`,
  )
  return `<dl class="rows three">${rows.join('')}</dl>`
}

function file({ path, says }: Homepage['docs']['files'][number]): string {
  return `<div><dt><code>${escape(path)}</code></dt><dd>${escape(says)}</dd></div>`
}
