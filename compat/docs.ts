/** The table of results → the section of docs/compatibility.md that shows it. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { ConnectorReport } from './connector.ts'
import { table, totalsOf } from './report.ts'

const file = 'docs/compatibility.md'
const opening = '<!-- made by `npm run compat -- DIR --docs`: begin -->'
const closing = '<!-- made by `npm run compat -- DIR --docs`: end -->'

/** Replaces what is between the marks; appends the section where there are none. */
export function writeDocs(reports: readonly ConnectorReport[]): void {
  const text = readFileSync(file, 'utf8')
  const section = `${opening}\n${sectionOf(reports)}\n${closing}`
  const [before = '', rest] = text.split(opening)
  const after = rest?.split(closing)[1] ?? '\n'
  writeFileSync(file, `${rest === undefined ? `${before.trimEnd()}\n\n` : before}${section}${after}`)
}

function sectionOf(reports: readonly ConnectorReport[]): string {
  const { connectors } = totalsOf(reports)
  return [
    '## Public manifests',
    '',
    `Every stream of ${connectors} public manifests is read from a local server that answers as its API would, and once more from`,
    'its state, if it has one. `npm run compat -- DIR` does the same with any folder of manifests.',
    '',
    table(totalsOf(reports)),
    ...exceptionLines(reports),
  ].join('\n')
}

function exceptionLines(reports: readonly ConnectorReport[]): string[] {
  const excepted = reports.flatMap(({ name, streams }) => {
    const reasons = new Set(streams.filter(({ status }) => status === 'excepted').flatMap((stream) => stream.reasons))
    return [...reasons].map((reason) => `- ${name}: ${reason}.`)
  })
  return excepted.length === 0 ? [] : ['', 'The exceptions:', '', ...excepted]
}
