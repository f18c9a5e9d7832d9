/** The schema of a record → the same as a manifest has it: types and formats only, every field may be null, bounded in size. */
import type { Members } from '../../std/values/objects.ts'
import type { SchemaView, ViewOf } from './schema-view.ts'

const deepest = 3
const mostProperties = 200
/** Of one record, all levels together: a manifest holds a few hundred streams. */
const mostNodes = 400

export function recordSchema(schema: unknown, viewOf: ViewOf): Members {
  const budget = { left: mostNodes }
  return {
    type: 'object',
    $schema: 'http://json-schema.org/draft-07/schema#',
    additionalProperties: true,
    properties: propertiesOf(viewOf(schema), viewOf, 1, budget),
  }
}

type Budget = { left: number }

function propertiesOf(view: SchemaView, viewOf: ViewOf, depth: number, budget: Budget): Members {
  const entries = [...view.properties]
    .slice(0, mostProperties)
    // A manifest would take `$ref` and `$parameters` for its own.
    .filter(([name]) => !name.startsWith('$') && name !== '__proto__')
  // Own fields first, so that a large member does not use up what the others need.
  budget.left -= entries.length
  return Object.fromEntries(entries.map(([name, schema]) => [name, typeOf(viewOf(schema), viewOf, depth, budget)]))
}

function typeOf(view: SchemaView, viewOf: ViewOf, depth: number, budget: Budget): Members {
  const { type, format } = view
  const isOpen = depth < deepest && budget.left > 0
  switch (type) {
    case 'object':
      return view.properties.size === 0 || !isOpen
        ? { type: ['object', 'null'], additionalProperties: true }
        : {
            type: ['object', 'null'],
            additionalProperties: true,
            properties: propertiesOf(view, viewOf, depth + 1, budget),
          }
    case 'array': {
      const items = isOpen && view.items !== undefined ? typeOf(viewOf(view.items), viewOf, depth + 1, budget) : null
      return { type: ['array', 'null'], ...(items !== null && Object.keys(items).length > 0 && { items }) }
    }
    case 'string':
      return { type: ['string', 'null'], ...(format !== null && dateFormats.has(format) && { format }) }
    case 'integer':
    case 'number':
    case 'boolean':
      return { type: [type, 'null'] }
    default:
      // Several types, or none given: any value.
      return {}
  }
}

const dateFormats = new Set(['date', 'date-time'])
