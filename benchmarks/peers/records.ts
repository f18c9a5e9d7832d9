/** The two kinds of records that are read, and their JSON schemas. */

export type Shape = 'plain' | 'wide'

const filler = 'x'.repeat(880)
const numbers = Array.from({ length: 24 }, (_, index) => index + 1)

/** `plain`: seven fields, about 1 KB. `wide`: sixty fields, of which some are nested, about 1.7 KB; every fourth one is closed. */
export function recordText(shape: Shape, id: number): string {
  if (shape === 'plain') {
    return `{"id":${id},"name":"record ${id}","amount":${id}.25,"active":true,"tags":["a","b"],"note":"${filler}","nested":{"city":"Bern","zip":"3000"}}`
  }
  const strings = numbers.map((number) => `"text_${number}":"value ${number} of ${id}"`)
  const values = numbers.map((number) => `"value_${number}":${id % 1000}.${number}`)
  const nested = '"nested":{"city":"Bern","zip":"3000","secret":"s","geo":{"lat":46.95,"lon":7.45}}'
  const named = `"first":"First ${id}","last":"Last","price":12.5,"quantity":${(id % 9) + 1},"notes":"to be removed"`
  const state = `"status":"${isOpen(id) ? 'open' : 'closed'}","active":true,"rank":${id % 100}`
  return `{"id":${id},"name":"record ${id}",${named},${state},"tags":["a","b"],${nested},${[...strings, ...values].join(',')}}`
}

/** What the filter of wide records keeps. */
export function isOpen(id: number): boolean {
  return id % 4 !== 0
}

const string = { type: ['null', 'string'] }
const number = { type: ['null', 'number'] }
const integer = { type: ['null', 'integer'] }
const boolean = { type: ['null', 'boolean'] }
const strings = { type: ['null', 'array'], items: string }
const object = (properties: object) => ({ type: ['null', 'object'], properties })
const common = { id: { type: 'integer' }, name: string, active: boolean, tags: strings, amount: number }

const fields: Readonly<Record<Shape, object>> = {
  plain: { ...common, note: string, nested: object({ city: string, zip: string }) },
  wide: {
    ...common,
    first: string,
    last: string,
    label: string,
    price: number,
    quantity: integer,
    status: string,
    rank: integer,
    nested: object({ city: string, zip: string, geo: object({ lat: number, lon: number }) }),
    ...Object.fromEntries(numbers.map((one) => [`text_${one}`, string])),
    ...Object.fromEntries(numbers.map((one) => [`value_${one}`, number])),
  },
}

/** Of a record as it is after the transformations. */
export function schemaOf(shape: Shape): object {
  return { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: fields[shape] }
}
