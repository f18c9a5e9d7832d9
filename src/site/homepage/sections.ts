/** The sections below the fold: words on the left, evidence on the right. */
import type { DocSection } from '../docs/doc-set.ts'
import { escape, inline } from '../markup.ts'
import type { Scheme } from '../tokens.ts'
import type { Homepage, Link } from './content.ts'
import type { Differences, Figure, Point, Section, ShownFailure, ShownFinding } from './content-differences.ts'
import { chartFile, chartSize } from './peer-picture.ts'

export function sections({ receipt, diagnosis, manifests, speed, peers, docs, agents }: Homepage): string {
  return [
    section(
      receipt,
      `${verdicts(receipt)}<div class="pair">${receipt.prevents.map(point).join('')}</div>${note(receipt.note)}`,
    ),
    section(
      diagnosis,
      `<div class="pair">${failure(diagnosis.failure)}<div>${command(diagnosis.command)}${finding(diagnosis.finding)}</div></div>${note(diagnosis.note)}`,
    ),
    section(manifests, `${figures(manifests.figures)}${note(manifests.note)}`),
    section(speed, `${charts(peers)}${note(speed.note)}${note(peers.note)}`),
    section(docs, `<div class="lists">${docs.sections.map(list).join('')}</div>`),
    section(agents, `${command(agents.command)}<ul class="addresses">${agents.links.map(address).join('')}</ul>`),
  ].join('\n')
}

function section({ id, title, lead }: Section, body: string): string {
  return `<section class="wide" id="${id}" aria-labelledby="${id}-heading">
<div class="side"><h2 id="${id}-heading">${escape(title)}</h2><p>${inline(lead)}</p></div>
<div class="body">${body}</div>
</section>`
}

/** One file for each colour scheme; the style sheet shows the right one, and the browser loads no other. */
function charts({ charts: shown }: Homepage['peers']): string {
  const one = ({ chart, alt }: Homepage['peers']['charts'][number], scheme: Scheme) => {
    const { width, height } = chartSize(chart)
    return `<img class="on-${scheme}" src="/${chartFile(chart, scheme)}" alt="${escape(alt)}" width="${width}" height="${height}" loading="lazy">`
  }
  return `<div class="charts">${shown.map((chart) => `<div class="panel">${one(chart, 'light')}${one(chart, 'dark')}</div>`).join('')}</div>`
}

const command = (text: string) => `<pre class="panel wrap"><code>${escape(text)}</code></pre>`

const note = (text: string) => `<p class="note">${inline(text)}</p>`

const point = ({ title, text }: Point) => `<div class="point"><h3>${escape(title)}</h3><p>${inline(text)}</p></div>`

const line = (term: string, text: string) => `<div><dt>${term}</dt><dd>${escape(text)}</dd></div>`

function failure({ code, message, at, try: hint }: ShownFailure): string {
  return `<div class="panel terminal"><p><strong class="bad">${escape(code)}</strong>: ${escape(message)}</p>
<dl>${line('at', at)}${line('try', hint)}</dl></div>`
}

function finding({ code, title, says, fix, retest }: ShownFinding): string {
  return `<div class="panel terminal"><p><strong class="bad">${escape(code)}</strong>: ${escape(title)}</p>
<p>${escape(says)}</p>
<dl>${line('fix', fix)}${line('re-test', retest)}</dl></div>`
}

function verdicts({ columns, rows }: Differences['receipt']): string {
  const heads = columns.map((column) => `<th scope="col">${escape(column)}</th>`).join('')
  const lines = rows.map(
    ([first = '', ...rest]) =>
      `<tr><th scope="row">${escape(first)}</th>${rest.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`,
  )
  return `<div class="panel terminal"><table><thead><tr>${heads}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`
}

function figures(shown: readonly Figure[]): string {
  const one = ({ value, label }: Figure) => `<li><strong>${escape(value)}</strong> ${escape(label)}</li>`
  return `<ul class="figures">${shown.map(one).join('')}</ul>`
}

function list({ title, entries }: DocSection): string {
  const links = entries.map(
    (entry) => `<li><a href="${escape(entry.url)}" title="${escape(entry.note)}">${escape(entry.title)}</a></li>`,
  )
  return `<div><h3>${escape(title)}</h3><ul>${links.join('')}</ul></div>`
}

function address({ url, label, says, isNoPage }: Link): string {
  const name = isNoPage === true ? `<code>${escape(url)}</code>` : `<a href="${escape(url)}">${escape(label)}</a>`
  return `<li>${name}: ${escape(says)}</li>`
}
