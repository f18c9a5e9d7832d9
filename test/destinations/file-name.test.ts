/** Names of streams → names of files that every file system takes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseFileName, foldFileName } from '../../src/destinations/file-name.ts'

const nameOf = (stream: string, ...taken: string[]) => {
  const folded = new Set(taken.map(foldFileName))
  return chooseFileName(stream, (name) => folded.has(name))
}

test('names stay as they are where they can', () => {
  for (const name of ['orders', 'Order Items', '😀', 'größe', 'a.b', '-x', 'select']) assert.equal(nameOf(name), name)
})

test('what leads elsewhere, is hidden or refused becomes harmless', () => {
  const names = {
    '../../etc/passwd': '_._.._etc_passwd',
    '..': '__',
    '.': '_',
    '': '_',
    '.hidden': '_hidden',
    'a\\b:c*?"<>|': 'a_b_c______',
    'line\nbreak\u0000': 'line_break_',
    'dot.': 'dot_',
    'blank ': 'blank_',
    CON: 'CON_',
    'lpt1.x': 'lpt1_.x',
    console: 'console',
    '\ud800': '\ufffd',
    _turnleaf: '_turnleaf_2',
    'e\u0301': '\u00e9',
  }
  for (const [stream, name] of Object.entries(names)) assert.equal(nameOf(stream), name)
})

test('names that are one to a file system become two', () => {
  assert.equal(nameOf('Orders', 'orders'), 'Orders_2')
  assert.equal(nameOf('a/b', 'a_b', 'A_B_2'), 'a_b_3')
  assert.equal(nameOf('\u00c9', 'e\u0301'), '\u00c9_2')
})

test('a long name is cut between characters, and keeps its difference', () => {
  const [one, other] = ['1', '2'].map((end) => nameOf('😀'.repeat(300) + end))
  assert.notEqual(one, other)
  for (const name of [one, other]) {
    assert.ok(Buffer.byteLength(name ?? '') <= 120)
    assert.match(name ?? '', /^(?:😀)+_[0-9a-f]{8}$/u)
  }
})
