/** `$ref` → one self-contained tree; equal parts stay shared, so a big manifest stays small. */
import type { Problem } from '../../std/errors.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import { maxProblems, failTooLarge } from './limits.ts'
import type { MemberPosition, Origin, Places } from './places.ts'
import { didYouMean, problem } from './problem.ts'
import type { Steps } from './read-yaml.ts'
import { isNode, isObject, type TreeObject, mapMembers, memberOfNode, type Node } from './tree.ts'

type Site = { readonly node: Node; readonly key: string | number }

/** Replaces a reference that leads nowhere, so that later stages do not report it again. */
export const broken: TreeObject = Object.freeze({})

/** A reference inside a reference, and so on: the deepest of 332 real manifests has 49 levels once resolved. */
const maxResolvedDepth = 400

/** The largest of 332 real manifests has 560,000 values once every reference is written out. */
const maxValues = 20_000_000

/** How many names are compared with misspelt ones, all together. */
const maxCompared = 100_000

/** Resolves every reference; problems are `broken-reference` and `circular-reference`. */
export function* resolveReferences(root: TreeObject, places: Places): Steps<{ root: unknown; problems: Problem[] }> {
  const resolver = new Resolver(root, places)
  const resolved = resolver.resolve(root, { node: root, key: '' }, 0)
  yield
  refuseExplosion(resolved)
  return { root: resolved, problems: resolver.problems }
}

class Resolver {
  readonly problems: Problem[] = []
  readonly #root: TreeObject
  readonly #places: Places
  readonly #done = new Map<object, unknown>()
  readonly #open = new Set<object>()
  readonly #holding = new Map<object, boolean>()
  readonly #chain: string[] = []
  #compared = 0

  constructor(root: TreeObject, places: Places) {
    this.#root = root
    this.#places = places
  }

  resolve(value: unknown, site: Site, depth: number): unknown {
    if (isReference(value)) return this.#follow(value, site, depth)
    if (!isNode(value)) return value
    if (!this.#holdsReference(value)) return value
    const known = this.#done.get(value)
    if (known !== undefined) return known
    if (depth > maxResolvedDepth) failTooLarge(`References nest deeper than ${maxResolvedDepth} levels.`)
    this.#open.add(value)
    const resolved = this.#withBase(value, this.#members(value, depth), depth)
    this.#open.delete(value)
    this.#done.set(value, resolved)
    return resolved
  }

  /** Schemas, which are most of a large manifest, hold none: they stay as they are. */
  #holdsReference(node: Node): boolean {
    const known = this.#holding.get(node)
    if (known !== undefined) return known
    this.#holding.set(node, false)
    let holds = false
    for (const key of Object.keys(node)) {
      const value = (node as TreeObject)[key]
      if (typeof value === 'string' ? isReference(value) : isNode(value) && this.#holdsReference(value)) holds = true
      if (key === '$ref') holds = true
    }
    if (holds) this.#holding.set(node, true)
    return holds
  }

  #members(node: Node, depth: number): Node {
    const moved = new Map<string | number, MemberPosition>()
    const copy = mapMembers(node, (value, key) => {
      // Airbyte: `config_overrides` is config, where a string that looks like a reference is none.
      if (key === '$ref' || key === 'config_overrides' || !(isNode(value) || isReference(value))) return value
      const resolved = this.resolve(value, { node, key }, depth + 1)
      const target = isReference(value) && !isNode(resolved) ? this.#memberAt(value) : undefined
      if (target !== undefined) moved.set(key, target)
      return resolved
    })
    if (copy !== node) this.#places.set(copy, { ...this.#origin(node), moved })
    return copy
  }

  #withBase(written: Node, node: Node, depth: number): unknown {
    if (!isObject(node) || !Object.hasOwn(node, '$ref')) return node
    const { $ref, ...own } = node
    const base = this.resolve($ref, { node: written, key: '$ref' }, depth + 1)
    if (base === broken || !isObject(base)) return base
    if (Object.keys(own).length === 0) return base
    const merged = { ...base, ...own }
    this.#places.set(merged, { ...this.#origin(node), base: this.#origin(base) })
    return merged
  }

  #follow(reference: string, site: Site, depth: number): unknown {
    const target = this.#lookUp(reference)
    if (target === undefined) return this.#reportBroken(reference, site)
    if (this.#chain.includes(reference) || (isNode(target.value) && this.#open.has(target.value))) {
      const chain = [...this.#chain, reference].map((link) => `\`${link}\``).join(' → ')
      const at = this.#places.at(site.node, site.key)
      const message = `The reference leads back to itself: ${chain}${this.#chain.length === 0 ? ' contains it' : ''}.`
      this.problems.push(problem('manifest/circular-reference', 'error', message, at))
      return broken
    }
    this.#chain.push(reference)
    const resolved = this.resolve(target.value, target.site, depth + 1)
    this.#chain.pop()
    return resolved
  }

  /**
   * Airbyte: at each level the whole rest of the path is tried as one key first, and only then its first segment,
   * so that keys may contain a slash.
   */
  #lookUp(reference: string): { value: unknown; site: Site } | undefined {
    let value: unknown = this.#root
    let site: Site = { node: this.#root, key: '' }
    let rest = reference.slice('#/'.length)
    while (rest !== '') {
      if (!isNode(value)) return undefined
      const [head = ''] = rest.split('/', 1)
      const segment: string = isObject(value) && Object.hasOwn(value, rest) ? rest : head
      const key = Array.isArray(value) && /^-\d+$/.test(segment) ? value.length + Number(segment) : segment
      if (!Object.hasOwn(value, key)) return undefined
      site = { node: value, key: Array.isArray(value) ? Number(key) : key }
      value = memberOfNode(value, key)
      rest = rest.slice(segment.length + 1)
    }
    return { value, site }
  }

  #memberAt(reference: string): MemberPosition | undefined {
    const target = this.#lookUp(reference)
    const place = target && this.#places.get(target.site.node)?.place
    return target && place && { place, key: target.site.key }
  }

  #reportBroken(reference: string, site: Site): unknown {
    if (this.problems.length >= maxProblems) return broken
    const segments = reference.split('/')
    let near: string | undefined
    // The longest part that leads somewhere shows which segment is wrong.
    for (let length = segments.length - 1; length > 0 && near === undefined; length--) {
      const holder = this.#lookUp(`${segments.slice(0, length).join('/')}${length === 1 ? '/' : ''}`)
      if (holder === undefined) continue
      const wrong = segments[length] ?? ''
      const right = isNode(holder.value) ? this.#near(wrong, holder.value) : undefined
      if (right === undefined) break
      near = [...segments.slice(0, length), right, ...segments.slice(length + 1)].join('/')
    }
    this.problems.push(
      problem(
        'manifest/broken-reference',
        'error',
        `\`${reference}\` points to nothing in this manifest.`,
        this.#places.at(site.node, site.key),
        didYouMean(near, 'Point it at a place that exists in this manifest.'),
      ),
    )
    return broken
  }

  /** Each guess compares all names: of thousands of broken references the first ones get one. */
  #near(wrong: string, holder: Node): string | undefined {
    if (this.#compared > maxCompared) return undefined
    const names = Object.keys(holder)
    this.#compared += names.length
    return nearMiss(wrong, names, 3)
  }

  #origin(node: object): Origin {
    const origin = this.#places.get(node)
    if (origin === undefined) throw new Error('a node without a place')
    return origin
  }
}

// Airbyte: any string that starts with `#/` is a reference, whatever its key.
function isReference(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('#/')
}

/** Aliases and references can make a short manifest endless (each of ten lists holds the next one ten times): refuse it. */
function refuseExplosion(root: unknown): void {
  type Size = { values: number; depth: number }
  const sizes = new Map<object, Size>()
  const measure = (node: Node, above: number): Size => {
    const known = sizes.get(node)
    if (above + (known?.depth ?? 0) > maxResolvedDepth)
      failTooLarge(`References nest deeper than ${maxResolvedDepth} levels.`)
    if (known !== undefined) return known
    const size = { values: 1, depth: 0 }
    for (const key of Object.keys(node)) {
      const member = (node as TreeObject)[key]
      if (!isNode(member)) {
        // Most members are: the shortest way for them.
        size.values++
        if (size.depth === 0) size.depth = 1
        continue
      }
      const inner = measure(member, above + 1)
      size.values += inner.values
      size.depth = Math.max(size.depth, inner.depth + 1)
    }
    sizes.set(node, size)
    return size
  }
  if (!isNode(root)) return
  const { values } = measure(root, 0)
  if (values > maxValues) failTooLarge(`Aliases and references multiply the manifest to more than ${maxValues} values.`)
}
