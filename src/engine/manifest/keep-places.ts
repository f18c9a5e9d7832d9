/** A changed copy of a node → the same copy, whose parts know where the author wrote what they were made from. */
import { memberOf, type Origin, type Places } from './places.ts'
import { isNode, memberOfNode, type Node } from './tree.ts'

/** What is new in the copy stands where the part it replaced stood, or at the component that it was added to. */
export function keepPlaces<Copy extends object>(copy: Copy, original: object, places: Places): Copy {
  const origin = places.get(original)
  if (origin === undefined || places.get(copy) !== undefined) return copy
  places.set(copy, origin)
  forEachNode(copy as unknown as Node, (member, key) => {
    const before = memberOfNode(original as Node, key)
    if (isNode(before)) keepPlaces(member, before, places)
    else placeWithin(member, fieldOrigin(origin, key), places)
  })
  return copy
}

function placeWithin(node: Node, origin: Origin, places: Places): void {
  if (places.get(node) !== undefined) return
  places.set(node, origin)
  forEachNode(node, (member) => placeWithin(member, origin, places))
}

/** The field itself as a place, without members of its own. */
function fieldOrigin(holder: Origin, key: string | number): Origin {
  const member = memberOf(holder, key)
  if (member === undefined) return { place: { ...holder.place, members: new Map() } }
  const offset = member.place.members.get(member.key)?.value ?? -1
  return { place: { parent: member.place, key: member.key, offset, members: new Map() } }
}

function forEachNode(node: Node, visit: (member: Node, key: string | number) => void): void {
  for (const [name, member] of Object.entries(node)) {
    if (isNode(member)) visit(member, Array.isArray(node) ? Number(name) : name)
  }
}
