/** The lab behaves; its manifest has one thing wrong: each is named, mended, and re-tested against the real lab. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brief, type Broken, broken, diagnoseLab, type LabCase } from './lab-case.ts'

const strategy = 'paginator.pagination_strategy'

type Row = readonly [wrong: string, stream: string, changes: Broken, finding: string, options?: LabCase]

const rows: readonly Row[] = [
  [
    'a page size above the maximum of the API',
    'offset',
    { [`${strategy}.page_size`]: 5000 },
    'missing/page-size-capped: Set page_size to 1000. 2,500 records in 3 pages, complete',
    { size: 2500 },
  ],
  [
    'a cursor that is looked for where there is none',
    'cursor',
    { [`${strategy}.cursor_value`]: '{{ response.next }}', [`${strategy}.stop_condition`]: undefined },
    'missing/wrong-cursor: Read the cursor at meta.next_token. 250 records in 3 pages, complete',
  ],
  [
    'a stop condition that is upside down',
    'cursor',
    { [`${strategy}.stop_condition`]: '{{ response.meta.next_token }}' },
    'missing/wrong-cursor: Remove the stop condition: the walk ends where there is no cursor. 250 records in 3 pages, complete',
  ],
  [
    'pages counted from 0 where the first is 1',
    'page',
    { [`${strategy}.start_from_page`]: 0 },
    'first-request/start-page: Start from page 1. 250 records in 3 pages, complete',
  ],
]

for (const [wrong, stream, changes, finding, options] of rows) {
  test(`${wrong} is found and mended`, async () => {
    const diagnosis = await diagnoseLab(stream, broken(stream, changes), options)
    assert.deepEqual(brief(diagnosis), [finding])
    assert.ok(diagnosis.findings[0]?.fix?.retest?.isMended)
    assert.ok(diagnosis.probes.length <= 12)
  })
}
