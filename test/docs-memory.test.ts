/** docs/reliability.md: what a read remembers is what the code does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageLimits, loopMemoryBytes } from '../src/engine/pagination/page-memory.ts'
import { keyBytes, keyCapacity, keyLimits } from '../src/proof/keys/key-memory.ts'
import { filterErrorRate } from '../src/std/hashing/seen-filter.ts'
import { number } from '../src/std/text/format-count.ts'
import { holdPart, section } from './helpers/docs.ts'

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

test('the table has the limits of the code (TURNLEAF_WRITE_DOCS=1 writes it)', () => {
  const { recentPages, anchorPages } = pageLimits
  const rows = [
    ['what', 'of which', 'how many', 'taken for another', 'bytes at most'],
    ['---', '---', '---', '---', '---:'],
    [
      'pages',
      'each slice under way',
      `the newest ${number(recentPages)}, and ${number(anchorPages)} from each power of two on`,
      'practically never: 64 bits',
      megabytes(loopMemoryBytes),
    ],
    [
      'keys, as they are',
      'all slices under way of a stream',
      number(keyLimits.exactKeys),
      'practically never: 64 bits',
      megabytes(keyBytes.exact),
    ],
    [
      'more keys, by a filter',
      'the same',
      number(keyCapacity),
      `1 in ${number(1 / filterErrorRate)}`,
      megabytes(keyBytes.filter),
    ],
    [
      'of these, as they are',
      'the same',
      `the newest ${number(keyLimits.recentKeys)}`,
      'practically never: 64 bits',
      megabytes(keyBytes.recent),
    ],
  ]
  holdPart('reliability', 'memory', rows.map((cells) => `| ${cells.join(' | ')} |\n`).join(''))
})

test('the cycle in the text is found where it says', () => {
  const text = section('reliability', 'What a read remembers').replace(/\s+/g, ' ')
  const [, length, found] = /a cycle of ([\d,]+) pages is found on page ([\d,]+)/.exec(text) ?? []
  const [period, page] = [length, found].map((figure) => Number(figure?.replaceAll(',', '')))
  assert.ok(period !== undefined && page !== undefined)
  const power = 2 ** Math.ceil(Math.log2(period))
  assert.equal(page, power + period + 1)
})
