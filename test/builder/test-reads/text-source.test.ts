import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchText, wholeText, wholeTextOf } from '../../../src/builder/test-reads/body/text-source.ts'

const signal = new AbortController().signal
/** Longer than what is read at once, with something across the border. */
const long = `${'x'.repeat(999_997)}needle${'y'.repeat(1_500_000)}\nNEEDLE`

test('what lies across two parts is found, whatever its case', async () => {
  for (let shift = 0; shift < 12; shift++) {
    const moved = `${'z'.repeat(shift)}${long}`
    assert.equal(await searchText(wholeText(moved), 'Needle', 0, { signal }), 999_997 + shift)
  }
})

test('searching continues after the last match, and then from the top', async () => {
  const source = wholeText(long)
  const second = await searchText(source, 'needle', 999_998, { signal })
  assert.equal(second, long.indexOf('NEEDLE'))
  assert.equal(await searchText(source, 'needle', long.length, { signal }), 999_997)
})

test('a missing text is reported as missing, and an empty text is searched too', async () => {
  const shares: number[] = []
  assert.equal(
    await searchText(wholeText(long), 'absent', 5, { signal, onProgress: (share) => shares.push(share) }),
    null,
  )
  assert.equal(shares.at(-1), 1)
  assert.equal(await searchText(wholeText(''), 'a', 0, { signal }), null)
})

test('a search that was cancelled finds nothing', async () => {
  assert.equal(await searchText(wholeText(long), 'needle', 0, { signal: AbortSignal.abort() }), null)
})

test('a text read in parts is the text', async () => {
  assert.equal(await wholeTextOf(wholeText(long)), long)
})
