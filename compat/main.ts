/** `npm run compat -- DIR`: every manifest of a folder, against a server that answers as their APIs would. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ConnectorReport, runConnector } from './connector.ts'
import { writeDocs } from './docs.ts'
import { connectorLine, failureLines, reasonLines, table, totalsOf } from './report.ts'
import { openAnsweringServer } from '../src/lab/mirror/server.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, json: { type: 'string' }, docs: { type: 'boolean' } },
})
const [folder = 'test/manifests'] = positionals
const words = (values.only ?? '').split(',')
const isWanted = (file: string) => /\.(?:ya?ml|json)$/.test(file) && words.some((word) => file.includes(word))

await using server = await openAnsweringServer()
const reports: ConnectorReport[] = []
for (const file of readdirSync(folder).filter(isWanted)) {
  const report = await runConnector(server, join(folder, file))
  reports.push(report)
  console.log([connectorLine(report), ...failureLines(report)].join('\n'))
}
console.log(`\n${table(totalsOf(reports))}\n`)
console.log(['Why streams do not run:', ...reasonLines(reports)].join('\n'))

const json = JSON.stringify({ totals: totalsOf(reports), reports }, null, 1)
if (values.json !== undefined) writeFileSync(values.json, `${json}\n`)
if (values.docs === true) writeDocs(reports)
process.exitCode = reports.some(
  ({ fault, streams }) => fault !== null || streams.some(({ status }) => status === 'fails'),
)
  ? 1
  : 0
