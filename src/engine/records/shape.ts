/** Values, one after the other → what all of them look like, in bounded space. */
import { isList, isObject } from '../../std/values/objects.ts'

export type Scalar = 'null' | 'boolean' | 'string' | 'number'

/** What was seen at one place. Objects and lists stay apart: a place may hold both. */
export type Shape = {
  readonly scalars: Set<Scalar>
  members: Map<string, Shape> | null
  items: Shape | null
  /** Objects and lists, in the order in which the first of each came. */
  readonly structures: ('object' | 'array')[]
}

/** How many members there may still be in all; a record keyed by ids would fill the memory with columns. */
export type Room = { members: number }

/** Deeper than any API nests, and shallow enough for a stack. */
const deepest = 100

export function emptyShape(): Shape {
  return { scalars: new Set(), members: null, items: null, structures: [] }
}

/** Adds one more value to what is known of a place. */
export function widen(shape: Shape, value: unknown, room: Room, depth = 0): void {
  if (isObject(value)) {
    if (shape.members === null) shape.structures.push('object')
    shape.members ??= new Map()
    if (depth < deepest) widenMembers(shape.members, value, room, depth)
  } else if (isList(value)) {
    if (shape.items === null) shape.structures.push('array')
    shape.items ??= emptyShape()
    if (depth < deepest) for (const item of value) widen(shape.items, item, room, depth + 1)
  } else {
    shape.scalars.add(scalarOf(value))
  }
}

function widenMembers(members: Map<string, Shape>, value: object, room: Room, depth: number): void {
  for (const [name, member] of Object.entries(value)) {
    let known = members.get(name)
    if (known === undefined) {
      if (room.members === 0) continue
      room.members--
      known = emptyShape()
      members.set(name, known)
    }
    widen(known, member, room, depth + 1)
  }
}

/** Whatever is neither text nor truth nor nothing is a number: long ones are bigints or objects of their own. */
function scalarOf(value: unknown): Scalar {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as Scalar
  return 'number'
}

export function isUnseen({ scalars, structures }: Shape): boolean {
  return scalars.size === 0 && structures.length === 0
}
