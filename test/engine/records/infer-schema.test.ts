import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inferSchema, type InferOptions } from '../../../src/engine/records/infer-schema.ts'
import { LongDecimal, parseJson } from '../../../src/std/json.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'

function inferred(records: readonly JsonRecord[], options: InferOptions = {}) {
  const inferring = inferSchema(options)
  for (const record of records) inferring.add(record)
  return inferring
}

const propertiesOf = (records: readonly JsonRecord[]) => inferred(records).schema()?.properties

describe('the schema of records', () => {
  test('there is none before the first record', () => {
    assert.equal(inferSchema().schema(), null)
    assert.deepEqual(inferSchema().formats(), {})
    assert.deepEqual(inferSchema({ required: [['id']] }).missing(), [])
  })

  const places: readonly [string, readonly unknown[], unknown][] = [
    ['a text may be null in the next record', ['a'], { type: ['string', 'null'] }],
    ['a whole number is a number: the next may have a dot', [1], { type: ['number', 'null'] }],
    [
      'numbers of any length are numbers',
      [1n << 80n, new LongDecimal('1.23456789012345678901')],
      { type: ['number', 'null'] },
    ],
    ['types are sorted, null comes last', [null, true, 'a', 1], { type: ['boolean', 'number', 'string', 'null'] }],
    ['of a list that was always empty the items are not known', [[]], { type: ['array', 'null'] }],
    ['an object that was always empty has no properties', [{}], { type: ['object', 'null'] }],
    [
      'items of all lists count together',
      [[1], ['a']],
      { type: ['array', 'null'], items: { type: ['number', 'string', 'null'] } },
    ],
    ['a list of nulls says that much', [[null]], { type: ['array', 'null'], items: { type: 'null' } }],
    [
      'members of all objects count together, and those that were always null are left out',
      [{ a: 1, b: null }, { c: 'x' }, null],
      { type: ['object', 'null'], properties: { a: { type: ['number', 'null'] }, c: { type: ['string', 'null'] } } },
    ],
    [
      'alternatives are listed as they were seen',
      ['a', { a: null, b: [] }],
      { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'null' }, b: { type: 'array' } } }] },
    ],
    [
      'objects and lists keep the order in which they came',
      [[1], { a: 1 }],
      {
        anyOf: [
          { type: 'array', items: { type: 'number' } },
          { type: 'object', properties: { a: { type: 'number' } } },
        ],
      },
    ],
  ]
  for (const [name, values, expected] of places) {
    test(name, () => {
      const records = values.map((field) => ({ field }))
      assert.deepEqual(propertiesOf(records), { field: expected })
    })
  }

  test('what is required is in every record and never null, along the whole path', () => {
    const records = [{ id: 1, at: { day: '2024-01-02', zone: null } }]
    assert.deepEqual(inferred(records, { required: [['id'], ['at', 'day']] }).schema(), {
      $schema: 'http://json-schema.org/schema#',
      type: 'object',
      properties: {
        id: { type: 'number' },
        at: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
      },
      required: ['id', 'at'],
    })
  })

  test('required paths that lead to nothing are reported, and the others still count', () => {
    const inferring = inferred(
      [
        { id: 1, mixed: [1] },
        { id: 2, mixed: { a: 1 } },
      ],
      {
        required: [['id'], ['uuid'], ['id', 'deeper'], ['mixed', 'a']],
      },
    )
    assert.deepEqual(inferring.missing(), [['uuid'], ['id', 'deeper'], ['mixed', 'a']])
    assert.deepEqual(inferring.schema()?.required, ['id', 'mixed'])
  })

  test('asking twice gives the same, and more records may follow', () => {
    const inferring = inferred([{ id: 1 }], { required: [['id']] })
    assert.deepEqual(inferring.schema(), inferring.schema())
    inferring.add({ id: 'a' })
    assert.deepEqual(inferring.schema()?.properties, { id: { type: ['number', 'string'] } })
  })

  test('hostile names are names', () => {
    const { value } = parseJson('{"__proto__": 1, "constructor": 2, "toString": null, "": 3}')
    const properties = propertiesOf([value as JsonRecord]) as object
    assert.deepEqual(Object.keys(properties), ['__proto__', 'constructor', ''])
  })

  test('a hundred thousand keys fill no memory, and a deep record no stack', () => {
    const ids = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index]))
    const inferring = inferred([ids], { maxMembers: 500 })
    assert.equal(Object.keys(inferring.schema()?.properties as object).length, 500)

    const deep = parseJson(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`).value as JsonRecord
    assert.equal(inferred([deep]).schema()?.type, 'object')
  })
})

describe('the formats of dates', () => {
  const formats: readonly [unknown, string | undefined][] = [
    ['2024-01-02', '%Y-%m-%d'],
    ['2024-01-02 03:04:05', '%Y-%m-%d %H:%M:%S'],
    ['2024-01-02T03:04:05Z', '%Y-%m-%dT%H:%M:%SZ'],
    ['2024-01-02T03:04:05.678Z', '%Y-%m-%dT%H:%M:%S.%fZ'],
    ['2024-01-02T03:04:05.678+02:00', '%Y-%m-%dT%H:%M:%S.%f%z'],
    ['02/01/2024 10:30', '%d/%m/%Y %H:%M'],
    ['2024-01', '%Y-%m'],
    [1_700_000_000, '%s'],
    ['1700000000000', '%ms'],
    [999_999_999, undefined],
    ['2024-02-30', undefined],
    ['next week', undefined],
    [true, undefined],
    [null, undefined],
  ]
  for (const [value, format] of formats) {
    test(`${JSON.stringify(value)} is ${format ?? 'no date'}`, () => {
      assert.equal(inferred([{ value }]).formats().value, format)
    })
  }

  test('hold only while every record confirms them', () => {
    const day = '2024-01-02'
    const records = [
      { a: day, b: day, c: day },
      { a: day, b: null },
      { a: day, b: day, c: day, d: day },
    ]
    assert.deepEqual(inferred(records).formats(), { a: '%Y-%m-%d' })
  })
})
