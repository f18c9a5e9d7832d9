/** What filters, transformations and numbers cost a record of sixty fields, against `JSON.parse` alone. */
import { selectRecords } from '../src/engine/records/select.ts'
import { loadSnakeCase } from '../src/engine/records/snake-case.ts'
import { type JsonSchema, loadManifest, planStream } from '../src/index.ts'
import { parseJson } from '../src/std/json.ts'
import { selectingManifest } from './manifests.ts'
import { median } from './median.ts'
import { recordText, schemaOf } from './peers/records.ts'

const pageSize = 100
const pagesPerRound = 50
const rounds = 7

type Case = { readonly transformations?: readonly object[]; readonly selector?: object; readonly text?: string }

const page = pageOf((text) => text)
const added = { type: 'AddFields', fields: [{ path: ['label'], value: "{{ record['first'] }} {{ record['last'] }}" }] }
const removed = (condition: string | undefined, ...pointers: string[][]) => ({
  type: 'RemoveFields',
  field_pointers: pointers,
  ...(condition !== undefined && { condition }),
})

const cases: Readonly<Record<string, Case>> = {
  'nothing is changed': {},
  'whole floats (`12.0`)': { text: pageOf((text) => text.replace('"price":12.5', '"price":12.0')) },
  'a filter': { selector: { record_filter: { type: 'RecordFilter', condition: "{{ record['status'] == 'open' }}" } } },
  '`AddFields`, one field': { transformations: [added] },
  '`RemoveFields`, two fields': { transformations: [removed(undefined, ['notes'], ['nested', 'secret'])] },
  both: { transformations: [added, removed(undefined, ['notes'], ['nested', 'secret'])] },
  '`RemoveFields` by a pattern': { transformations: [removed(undefined, ['text_*'])] },
  '`RemoveFields`, whatever is null': { transformations: [removed('{{ property is none }}', ['**'])] },
  '`KeysToSnakeCase`': { transformations: [{ type: 'KeysToSnakeCase' }] },
  '`FlattenFields`': { transformations: [{ type: 'FlattenFields' }] },
  '`DpathFlattenFields`': { transformations: [{ type: 'DpathFlattenFields', field_path: ['nested'] }] },
  '`schema_normalization: Default`': { selector: { schema_normalization: 'Default' } },
}

function pageOf(change: (text: string) => string): string {
  return `{"data":[${Array.from({ length: pageSize }, (_, index) => change(recordText('wide', index + 1))).join(',')}]}`
}

function reader({ transformations = [], selector = {}, text = page }: Case): () => number {
  const schema = schemaOf('wide') as JsonSchema
  const stream = planStream(loadManifest(selectingManifest(selector, transformations)), 'items', {})
  const isFitted = stream.selector.normalization.kind !== 'none'
  const tools = { instances: new Map(), schema: isFitted ? schema : null, onMisfit: () => {} }
  const slice = { partition: {}, window: {} }
  return () =>
    selectRecords({ stream, config: {}, slice, decoded: parseJson(text), isWanted: null, tools }).records.length
}

/** µs of processor time a record, collecting included. */
function cost(read: () => number): number {
  const before = process.cpuUsage()
  for (let count = 0; count < pagesPerRound; count++) if (read() === 0) throw new Error('a page without records')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / pagesPerRound / pageSize
}

export async function benchmarkRecords(): Promise<void> {
  await loadSnakeCase([{ kind: 'keys-to-snake-case' }])
  const readers = new Map(Object.entries(cases).map(([name, one]) => [name, reader(one)]))
  readers.set('`JSON.parse` alone', () => (JSON.parse(page) as { data: unknown[] }).data.length)
  const costs = new Map([...readers.keys()].map((name): [string, number[]] => [name, []]))
  // In turn, so that a noisy neighbour disturbs all alike; the first rounds warm up.
  for (let round = -3; round < rounds; round++) {
    for (const [name, read] of readers) {
      const took = cost(read)
      if (round >= 0) costs.get(name)?.push(took)
    }
  }
  const bare = median(costs.get('`JSON.parse` alone') as number[])
  console.log(
    `parsing a page of ${pageSize} records of sixty fields and selecting its records, medians of ${rounds} rounds`,
  )
  for (const [name, took] of costs) {
    const middle = median(took)
    console.log(`  ${name.padEnd(34)}${middle.toFixed(1).padStart(6)} µs a record   ${(middle / bare).toFixed(2)}`)
  }
}
