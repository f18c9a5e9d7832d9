import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from '../../../../src/engine/response/formats/csv.ts'
import { FormatError, longestItem } from '../../../../src/engine/response/formats/item-parser.ts'

function read(text: string, { delimiter = ',', nulls = [] }: { delimiter?: string; nulls?: string[] } = {}) {
  const warnings: string[] = []
  const parser = parseCsv({ delimiter, nulls }, (warning) => void warnings.push(warning))
  return { items: [...parser.read(text), ...parser.end()], warnings, hasFloats: parser.hasFloats }
}

test('CSV: a single column with the name of several draws a warning, once', () => {
  const separatedBy = (found: string, used: string) => [
    `The CSV has one column, whose name contains ${found}; the decoder separates at ${used}. If these are several columns, set \`delimiter\` to ${found}.`,
  ]
  assert.deepEqual(read('a;b\n1;2\n3;4\n').warnings, separatedBy('";"', '","'))
  assert.deepEqual(read('a\tb\n1\t2\n').warnings, separatedBy('"\\t"', '","'))
  assert.deepEqual(read('a|b\n').warnings, separatedBy('"|"', '","'))
  assert.deepEqual(read('a,b\n', { delimiter: ';' }).warnings, separatedBy('","', '";"'))
})

test('CSV: several columns, and a name that quotes the delimiter itself, draw none', () => {
  for (const text of ['a;b,c\n', 'a\n1;2\n', '"a,b"\n1\n', '']) assert.deepEqual(read(text).warnings, [], text)
})

test('CSV: what looks like JSON is no name of a column', () => {
  for (const text of ['{"a":1}\n', ' { "a":1}\n', '{\n"a":1}', '[{"a":1}]\n', '[\n', '[ {'])
    assert.throws(() => read(text), { name: 'FormatError', message: 'it looks like JSON' }, text)
  for (const text of ['{a}\n1\n', '[a]\n1\n', 'a{\n1\n']) assert.equal(read(text).items.length, 1, text)
})

test('CSV: only the first name is one that could begin a page for people', () => {
  assert.deepEqual(read('a,<html>\n1,2\n').items, [{ a: '1', '<html>': '2' }])
  assert.throws(() => read('<html>,a\n'), { message: 'it looks like an HTML page' })
})

test('CSV: quotes, doubled quotes and line ends are the same wherever a piece ends', () => {
  const text = 'a,b\n"x""y","""z"""\r\n"""""","1\r\n2"\n"""a","b"""\n'
  const expected = [
    { a: 'x"y', b: '"z"' },
    { a: '""', b: '1\n2' },
    { a: '"a', b: 'b"' },
  ]
  for (let first = 0; first <= text.length; first++) {
    const parser = parseCsv({ delimiter: ',', nulls: [] })
    const items = [...parser.read(text.slice(0, first)), ...parser.read(text.slice(first)), ...parser.end()]
    assert.deepEqual(items, expected, `cut at ${first}`)
  }
})

test('CSV: a short row is filled with null, a long one has a list of what is beyond the last column', () => {
  assert.deepEqual(read('a,b\n1\n1,2\n1,2,3\n1,2,3,\n').items, [
    { a: '1', b: null },
    { a: '1', b: '2' },
    { a: '1', b: '2', null: ['3'] },
    { a: '1', b: '2', null: ['3', ''] },
  ])
})

test('CSV: values stay strings, but for those that mean null', () => {
  assert.deepEqual(read('a,b\n1.5,NA\n"",-\n', { nulls: ['NA', '-'] }), {
    items: [
      { a: '1.5', b: null },
      { a: '', b: null },
    ],
    warnings: [],
    hasFloats: false,
  })
  assert.deepEqual(read('a,b\n,null\n').items, [{ a: '', b: 'null' }])
  assert.deepEqual(read('a,b\n,null\n', { nulls: ['null'] }).items, [{ a: '', b: null }])
})

test('CSV: any delimiter is taken literally', () => {
  for (const delimiter of [',', ';', '\t', '|', '^', '-', ']', '\\', '.', ' ', '😀']) {
    const row = (...fields: string[]) => fields.join(delimiter)
    assert.deepEqual(
      read(`${row('a', 'b', 'c')}\n${row('1', '', '"x"')}\n`, { delimiter }).items,
      [{ a: '1', b: '', c: 'x' }],
      delimiter,
    )
  }
})

test('CSV: an empty line is no row, an empty field in quotes is one', () => {
  assert.deepEqual(read('a\n\n""\n\n1\n\n').items, [{ a: '' }, { a: '1' }])
  assert.deepEqual(read('a\n""').items, [{ a: '' }])
  assert.deepEqual(read('a,b\n,').items, [{ a: '', b: '' }])
  assert.deepEqual(read('a\n1').items, [{ a: '1' }])
})

test('CSV: a quote within a field is a letter, and what follows a closing quote belongs to the field', () => {
  assert.deepEqual(read('a,b\nx"y","x"y\n"x"y"z,"x""y"\n').items, [
    { a: 'x"y"', b: 'xy' },
    { a: 'xy"z', b: 'x"y' },
  ])
})

test('CSV: an error counts the lines, those within quotes and the empty ones too', () => {
  const lineOf = (text: string) => {
    try {
      return read(text).items.length
    } catch (error) {
      return error instanceof Error && /line \d+/.exec(error.message)?.[0]
    }
  }
  assert.equal(lineOf('"a'), 'line 1')
  assert.equal(lineOf('a\n1\n"2'), 'line 3')
  assert.equal(lineOf('a\n\n\n"1'), 'line 4')
  assert.equal(lineOf('a\n"x\n\ny"\n"z'), 'line 5')
  assert.equal(lineOf('a,b\n"x\ny",1\n2,"z\n'), 'line 4')
})

test('CSV: a row has fifty thousand columns at most', () => {
  const most = ','.repeat(49_999)
  assert.equal(read(`a\n${most}\n`).items.length, 1)
  assert.throws(
    () => read(`a\n1\n${most},\n`),
    (error) => {
      assert.ok(error instanceof FormatError && error.isTooLarge)
      return error.message === 'the row at line 3 has more than 50000 columns'
    },
  )
})

test('CSV: a row has 32 Mi characters at most, counted anew for each', () => {
  const half = 'x'.repeat(longestItem / 2)
  const parser = parseCsv({ delimiter: ',', nulls: [] })
  for (const items of [0, 1, 1]) {
    assert.equal([...parser.read(half), ...parser.read(`,${half}`), ...parser.read('\n')].length, items)
  }
  parser.read(`${half},`)
  assert.throws(() => parser.read(`${half}x`), { message: 'the row at line 4 is longer than 33554432 characters' })
})
