/** Template evaluations a second over a 100 KB response, as a ratio to plain property access. */
import { compileTemplate } from '../src/engine/template/template.ts'

const records = Array.from({ length: 100 }, (_, id) => ({ id, filler: 'x'.repeat(1000) }))
const response = { data: records, meta: { next_token: 'abc123', more: false } }
const scope = {
  config: { size: 100 },
  parameters: {},
  response,
  headers: { link: { next: { url: 'https://api.example/x?page=2' } } },
  last_record: records.at(-1),
  last_records: records,
  last_page_size: 100,
}

const templates = [
  '{{ response.meta.next_token }}',
  "{{ last_records[-1]['id'] }}",
  '{{ response.meta.more is false }}',
  "{{ headers['link']['next']['url'] }}",
]

function perEvaluation(run: () => unknown): number {
  const rounds = 300_000
  for (let index = 0; index < rounds; index++) run()
  const started = performance.now()
  for (let index = 0; index < rounds; index++) run()
  return ((performance.now() - started) * 1000) / rounds
}

export function benchmarkTemplates(): void {
  const access = perEvaluation(() => response.meta.next_token)
  console.log('template evaluation over a 100 KB response')
  console.log(`  property access by hand                     ${access.toFixed(3)} µs`)
  for (const source of templates) {
    const template = compileTemplate(source)
    const took = perEvaluation(() => template.evaluate(scope))
    console.log(`  ${source.padEnd(42)}  ${took.toFixed(3)} µs   ${(1 / took).toFixed(1)} M/s`)
  }
}
