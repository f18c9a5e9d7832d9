import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findInJson, jsonRows, jsonKind, openedTo } from '../../../src/builder/test-reads/body/json-rows.ts'
import { cellText, columnsOf } from '../../../src/builder/test-reads/records/record-columns.ts'
import { treeStep } from '../../../src/builder/test-reads/tree/tree-keys.ts'
import { parseJson } from '../../../src/std/json.ts'

const none: ReadonlySet<string> = new Set()
const parse = (text: string) => parseJson(text).value
const response = parse('{"data": {"items": [{"id": 1}, {"id": 90071992547409931}]}, "next": null}')

test('a tree opens two levels deep, and long lists stay folded', () => {
  assert.deepEqual(
    jsonRows(response, none).map(({ id, isOpen }) => [id, isOpen]),
    [
      ['', true],
      ['/data', true],
      ['/data/items', false],
      ['/next', null],
    ],
  )
  const list = parse(JSON.stringify({ a: Array.from({ length: 51 }, () => 1) }))
  assert.equal(jsonRows(list, none).length, 2)
})

test('what was turned is the other way round', () => {
  const rows = jsonRows(response, new Set(['/data']))
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['', '/data', '/next'],
  )
})

test('search finds names and values, with every digit, and the tree opens to the place', () => {
  assert.deepEqual(findInJson(response, '9931'), ['/data/items/1/id'])
  assert.deepEqual(findInJson(response, 'NEXT'), ['/next'])
  const turned = openedTo(response, none, '/data/items/1/id')
  assert.ok(jsonRows(response, turned).some(({ id }) => id === '/data/items/1/id'))
})

test('names with slashes and names of objects’ own members are ordinary', () => {
  const odd = parse('{"a/b": {"~": {"__proto__": [1]}}}')
  const [place] = findInJson(odd, '__proto__')
  assert.equal(place, '/a~1b/~0/__proto__')
  assert.ok(jsonRows(odd, openedTo(odd, none, `${place}/0`)).some(({ id }) => id === `${place}/0`))
})

test('kinds: a whole float is a number, a long integer an integer', () => {
  const kinds = parse('[1, 2.0, 2.5, 90071992547409931, 0.1234567890123456789, "1", null, true, [], {}]') as unknown[]
  assert.deepEqual(kinds.map(jsonKind), [
    'integer',
    'number',
    'number',
    'integer',
    'number',
    'string',
    'null',
    'boolean',
    'array',
    'object',
  ])
})

test('columns are the names as they first appear, with every kind seen', () => {
  const records = parse('[{"id": 1, "tags": ["a"]}, {"id": null, "price": 1.5}, {"price": 2}]') as Record<
    string,
    unknown
  >[]
  assert.deepEqual(
    columnsOf(records).map(({ name, kinds }) => [name, kinds]),
    [
      ['id', 'integer or null'],
      ['tags', 'array'],
      ['price', 'number'],
    ],
  )
})

test('a cell keeps every digit and folds what is nested', () => {
  const { long, whole, nested, text } = parse(
    '{"long": 90071992547409931, "whole": 2.0, "nested": {"a": 1}, "text": "007"}',
  ) as Record<string, unknown>
  assert.deepEqual([long, whole, nested, text, undefined].map(cellText), [
    '90071992547409931',
    '2.0',
    '{ 1 }',
    '007',
    '',
  ])
})

test('arrow keys move through the tree as in other trees', () => {
  const rows = jsonRows(response, none)
  assert.deepEqual(treeStep(rows, 0, 'ArrowDown', 5), { kind: 'go', index: 1 })
  assert.deepEqual(treeStep(rows, 2, 'ArrowRight', 5), { kind: 'turn', index: 2 })
  assert.deepEqual(treeStep(rows, 2, 'ArrowLeft', 5), { kind: 'go', index: 1 })
  assert.deepEqual(treeStep(rows, 1, 'ArrowLeft', 5), { kind: 'turn', index: 1 })
  assert.deepEqual(treeStep(rows, 1, 'End', 5), { kind: 'go', index: 3 })
  assert.equal(treeStep(rows, 3, 'ArrowRight', 5), null)
  assert.equal(treeStep(rows, 0, 'q', 5), null)
})

test('a long list starts folded where something comes after it, such as a total', () => {
  const records = Array.from({ length: 20 }, (_, id) => ({ id }))
  const named = (value: unknown) => jsonRows(value, none).map(({ name }) => name)
  assert.deepEqual(named({ data: records, meta: { total: 20 } }), [null, 'data', 'meta', 'total'])
  assert.equal(named({ data: records }).length, 22)
})

test('a column of numbers is as wide as its longest number', () => {
  const [long] = columnsOf([{ big: parse(`1${'0'.repeat(59)}`) }])
  assert.ok((long?.width ?? 0) > 60 * 7)
  const [text] = columnsOf([{ big: 'x'.repeat(60) }])
  assert.equal(text?.width, 280)
})
