/** `$parameters` and default types → components that say everything themselves. */
import { ConnectorError, type Problem } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { holdsNumber } from './components.ts'
import { defaultType } from './default-types.ts'
import { failTooLarge } from './limits.ts'
import { type MemberPosition, memberPosition, type Places } from './places.ts'
import { problem } from './problem.ts'
import { broken } from './references.ts'
import { isNode, isObject, type TreeObject, mapList, mapObject, type Node, setMember } from './tree.ts'
import { found } from './value-kinds.ts'

/** Parameters in force at a component, and where each was written. */
type Parameters = { readonly values: Readonly<TreeObject>; readonly from: ReadonlyMap<string, MemberPosition> }

const none: Parameters = { values: {}, from: new Map() }

/** Nested `$parameters` make every reference a copy; the most that one of 332 real manifests makes is 6,700. */
const maxCopies = 100_000

/** Parameters × components; the most that one of 332 real manifests has is 29,861. */
const maxHandedDown = 200_000

/** Types of a JSON schema: an object with one of these is data, not a component. */
const schemaTypes = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

/** Which of two parameters of one name counts: the component's own, or the one handed down to it. */
export type Precedence = 'own' | 'inherited'

/** Fills in types and hands `$parameters` down, from the source itself to its last component. */
export function settleComponents(
  root: TreeObject,
  places: Places,
  precedence: Precedence = 'own',
): { root: TreeObject; problems: Problem[] } {
  const settler = new Settler(places, precedence)
  return { root: settler.component(root, '', none), problems: settler.problems }
}

class Settler {
  readonly problems: Problem[] = []
  readonly #places: Places
  readonly #precedence: Precedence
  readonly #done = new Map<Parameters, Map<object, Map<string, TreeObject>>>()
  #copies = 0
  #handedDown = 0

  constructor(places: Places, precedence: Precedence) {
    this.#places = places
    this.#precedence = precedence
  }

  /** `place` is `Parent.field`; it gives the type when the author did not. */
  component(node: TreeObject, place: string, inherited: Parameters): TreeObject {
    if (node === broken) return node
    // With a type the node comes out the same wherever it is, so that it can be shared.
    const key = Object.hasOwn(node, 'type') ? '' : place
    const settled = this.#settled(node, inherited)
    const known = settled.get(key)
    if (known !== undefined) return known
    const made = this.#settle(node, place, inherited)
    settled.set(key, made)
    return made
  }

  #settled(node: TreeObject, inherited: Parameters): Map<string, TreeObject> {
    let byNode = this.#done.get(inherited)
    if (byNode === undefined) this.#done.set(inherited, (byNode = new Map()))
    let byPlace = byNode.get(node)
    if (byPlace === undefined) byNode.set(node, (byPlace = new Map()))
    return byPlace
  }

  #settle(node: TreeObject, place: string, inherited: Parameters): TreeObject {
    const type = Object.hasOwn(node, 'type') ? node.type : defaultType(place, Object.hasOwn(node, 'class_name'))
    const parameters = this.#combined(node, inherited)
    if (type === undefined) return this.#plainObject(node, place, parameters)
    if (typeof type !== 'string' || schemaTypes.has(type)) return this.#copy(node, {})
    return this.#members(node, type, parameters)
  }

  #members(node: TreeObject, type: string, inherited: Parameters): TreeObject {
    let parameters = inherited
    this.#handDown(parameters)
    const changes: TreeObject = node.type === type ? {} : { type }
    const moved = new Map<string, MemberPosition>()
    for (const [name, value] of Object.entries(parameters.values)) {
      // Airbyte: a parameter fills a field that is missing, and also one that is false, zero or empty.
      if (!isEmpty(Object.hasOwn(node, name) ? node[name] : undefined)) continue
      setMember(changes, name, value)
      const from = parameters.from.get(name)
      if (from !== undefined) moved.set(name, from)
    }
    for (const [field, value] of Object.entries({ ...node, ...changes })) {
      if (value instanceof Float && holdsNumber(type, field)) changes[field] = value.value
      if (!isNode(value) || field === '$parameters') continue
      // A parameter is not passed to the field of the same name: it would contain itself without end.
      const passed = this.#without(parameters, field)
      const settled = this.#field(value, `${type}.${field}`, passed)
      if (settled !== value) setMember(changes, field, settled)
      // Airbyte: an empty one is then forgotten for all that follows.
      if (isEmpty(parameters.values[field])) parameters = passed
    }
    if (Object.keys(parameters.values).length > 0) changes.$parameters = parameters.values
    return this.#copy(node, changes, moved)
  }

  #field(value: Node, place: string, parameters: Parameters): Node {
    if (isObject(value)) return this.component(value, place, parameters)
    const settled = mapList(value, (member) => (isObject(member) ? this.component(member, place, parameters) : member))
    const origin = this.#places.get(value)
    if (origin !== undefined) this.#places.set(settled, origin)
    return settled
  }

  /** An object without a type is data of the author's; components directly inside it still get their parameters. */
  #plainObject(node: TreeObject, place: string, parameters: Parameters): TreeObject {
    const settled = mapObject(node, (value) =>
      isObject(value) && !isEmpty(value.type) ? this.component(value, place, parameters) : value,
    )
    const { $parameters: _, ...members } = settled
    return this.#copy(node, settled === node ? {} : members)
  }

  /** The node with its changes; the node itself when there are none. Its `$parameters` are replaced or gone. */
  #copy(node: TreeObject, changes: TreeObject, moved?: ReadonlyMap<string, MemberPosition>): TreeObject {
    if (Object.keys(changes).length === 0 && !Object.hasOwn(node, '$parameters')) return node
    if (++this.#copies > maxCopies) {
      throw new ConnectorError(
        'manifest/too-large',
        `Parameters multiply the manifest to more than ${maxCopies} components.`,
      )
    }
    const { $parameters: _, ...rest } = node
    const copy = { ...rest, ...changes }
    const origin = this.#places.get(node)
    if (origin !== undefined) {
      const all = moved === undefined || moved.size === 0 ? origin.moved : new Map([...(origin.moved ?? []), ...moved])
      this.#places.set(copy, { ...origin, moved: all })
    }
    return copy
  }

  #without(parameters: Parameters, name: string): Parameters {
    if (!Object.hasOwn(parameters.values, name)) return parameters
    this.#handDown(parameters)
    const { [name]: _, ...values } = parameters.values
    return { ...parameters, values }
  }

  /** Every parameter is handed to every component below it: thousands of both would be millions. */
  #handDown({ from }: Parameters): void {
    this.#handedDown += from.size
    if (this.#handedDown > maxHandedDown) failTooLarge(`Parameters are handed down more than ${maxHandedDown} times.`)
  }

  #combined(node: TreeObject, inherited: Parameters): Parameters {
    const own = Object.hasOwn(node, '$parameters') ? node.$parameters : undefined
    if (own === undefined || own === broken) return inherited
    if (!isObject(own)) {
      const message = `\`$parameters\` is ${found(own)}; it must be an object.`
      const at = this.#places.at(node, '$parameters')
      this.problems.push(problem('manifest/wrong-type', 'error', message, at, 'Give it names and values.'))
      return inherited
    }
    const origin = this.#places.get(own)
    const from = new Map(inherited.from)
    const ownCounts = this.#precedence === 'own'
    const isCovered = (name: string) => Object.hasOwn(inherited.values, name)
    // Only inherited parameters are left: they stay one object, so that the result can be shared.
    if (!ownCounts && Object.keys(own).every(isCovered)) return inherited
    for (const name of Object.keys(own)) {
      const member = origin && memberPosition(origin, name)
      if (member !== undefined && (ownCounts || !isCovered(name))) from.set(name, member)
    }
    return { values: ownCounts ? { ...inherited.values, ...own } : { ...own, ...inherited.values }, from }
  }
}

/** What Python takes for false. */
function isEmpty(value: unknown): boolean {
  if (value instanceof Float) return value.value === 0
  if (isNode(value)) return Object.keys(value).length === 0
  return !value
}
