/** A manifest handed over as an object → a plain copy of our own, with pointers but no lines. */
import { ConnectorError } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { maxMembers, maxValues, tooManyMembers, tooManyValues } from './limits.ts'
import { maxDepth, type Parsed } from './parse.ts'
import { type Place, Places } from './places.ts'
import { type Node, setMember } from './tree.ts'

/** Throws ConnectorError `manifest/syntax` when the object is not JSON: too deep, circular, or holding functions. */
export function importObject(source: object, file?: string): Parsed {
  const places = new Places(null, file)
  const open = new Set<object>()
  // An object met twice is copied once: sharing keeps a small manifest from growing without bound.
  const copies = new Map<object, unknown>()
  let values = 0

  const copy = (value: unknown, parent: Place | null, key: string | number, depth: number): unknown => {
    if (typeof value === 'function' || typeof value === 'symbol') {
      throw new ConnectorError('manifest/syntax', `A manifest is plain data; \`${key}\` holds a ${typeof value}.`)
    }
    if (typeof value !== 'object' || value === null || value instanceof Float) return value
    if (value instanceof Date) return value.toISOString()
    if (open.has(value)) throw new ConnectorError('manifest/circular-reference', `\`${key}\` contains itself.`)
    const known = copies.get(value)
    if (known !== undefined) return known
    if (depth > maxDepth) {
      throw new ConnectorError('manifest/syntax', `The manifest is nested deeper than ${maxDepth} levels.`)
    }
    open.add(value)
    if (Object.keys(value).length > maxMembers && !Array.isArray(value)) tooManyMembers(key)
    const place: Place = { parent, key, offset: -1, members: new Map() }
    const node: Node = Array.isArray(value) ? [] : {}
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      if (++values > maxValues) tooManyValues()
      const own = Array.isArray(node) ? Number(name) : name
      place.members.set(own, { key: -1, value: -1 })
      if (Array.isArray(node)) node.push(copy(member, place, own, depth + 1))
      else setMember(node, name, copy(member, place, own, depth + 1))
    }
    open.delete(value)
    places.set(node, { place })
    copies.set(value, node)
    return node
  }

  return { value: copy(source, null, '', 0), places, problems: [] }
}
