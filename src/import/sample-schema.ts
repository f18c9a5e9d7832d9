/** A sample of a response → its schema, so that samples and described schemas are read by the same code. */
import { isUrl } from '../std/text/is-url.ts'
import { isList, isObject, type Members } from '../std/values/objects.ts'
import { setMember } from '../std/values/set-member.ts'

const deepest = 8
const mostItems = 20
/** An object with more members, or with data for names, is a map: its names are not part of a manifest. */
const mostMembers = 100
const dataNames = /^\d+$|@|^[\da-f]{8}-[\da-f]{4}-|\d{4}-\d\d-\d\d|^[\w-]{40,}$|\s.*\s/i

export function sampleSchema(value: unknown, depth = 0): Members {
  if (depth > deepest || value === null || value === undefined) return {}
  if (isList(value)) return { type: 'array', items: mergedItems(value.slice(0, mostItems), depth) }
  if (isObject(value)) return objectSchema([value], depth)
  if (typeof value === 'string') return { type: 'string', ...formatOf(value) }
  if (typeof value === 'boolean') return { type: 'boolean' }
  return { type: typeof value === 'bigint' || Number.isInteger(value) ? 'integer' : 'number' }
}

function mergedItems(items: readonly unknown[], depth: number): Members {
  const objects = items.filter(isObject)
  if (objects.length > 0 && objects.length === items.length) return objectSchema(objects, depth)
  return sampleSchema(items[0], depth + 1)
}

function objectSchema(objects: readonly Members[], depth: number): Members {
  const names = new Set(objects.flatMap((one) => Object.keys(one)))
  if (names.size > mostMembers || [...names].some((name) => dataNames.test(name))) return { type: 'object' }
  return { type: 'object', properties: membersOf(objects, depth) }
}

/** Fields of all items; the first value that is not null shows the type. A whole number does not exclude fractions elsewhere. */
function membersOf(objects: readonly Members[], depth: number): Members {
  const found: Record<string, unknown> = {}
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) {
      const before = Object.hasOwn(found, name) ? (found[name] as Members) : undefined
      const isNumber = typeof value === 'number' && !Number.isInteger(value)
      if (before?.type === undefined || (before.type === 'integer' && isNumber))
        setMember(found, name, sampleSchema(value, depth + 1))
    }
  }
  return found
}

function formatOf(text: string): { format?: string } {
  if (/^https?:\/\//.test(text) && isUrl(text)) return { format: 'uri' }
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return { format: 'date-time' }
  return /^\d{4}-\d\d-\d\d$/.test(text) ? { format: 'date' } : {}
}
