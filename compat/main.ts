/** `npm run compat -- DIR`: every manifest of a folder, against a server that answers as their APIs would. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ConnectorReport, runConnector } from './connector.ts'
import { connectorLine, failureLines, reasonLines, table, totalsOf } from './report.ts'
import { openAnsweringServer } from './server.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, json: { type: 'string' } },
})
const [folder = 'test/manifests'] = positionals
const words = (values.only ?? '').split(',')
const files = readdirSync(folder).filter(
  (file) => /\.(?:ya?ml|json)$/.test(file) && words.some((word) => file.includes(word)),
)

await using server = await openAnsweringServer()
const reports: ConnectorReport[] = []
for (const file of files) {
  const report = await runConnector(server, join(folder, file))
  reports.push(report)
  console.log([connectorLine(report), ...failureLines(report)].join('\n'))
}
console.log(`\n${table(totalsOf(reports))}\n\nWhy streams do not run:\n${reasonLines(reports).join('\n')}`)
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ totals: totalsOf(reports), reports }, null, 1)}\n`)
