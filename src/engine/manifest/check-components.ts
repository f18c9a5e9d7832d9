/** Tree × table → every field that is missing, misspelt, or holds the wrong thing. */
import type { ErrorCode, Problem, SourceLocation } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import {
  components,
  type ComponentType,
  fieldOf,
  type ComponentFields,
  isComponentType,
  type FieldKind,
  typeOptional,
} from './components.ts'
import { maxProblems } from './limits.ts'
import type { Places } from './places.ts'
import { didYouMean, listed, problem } from './problem.ts'
import { broken } from './references.ts'
import { isFilled, isObject, type TreeObject } from './tree.ts'
import { accepts, alternativesOf, found, type Single, wanted } from './value-kinds.ts'

/** Every problem of the component and of all that it contains; one of these types is allowed here. */
export function checkComponents(
  root: TreeObject,
  places: Places,
  allowed: readonly ComponentType[] = ['DeclarativeSource'],
): Problem[] {
  const checker = new Checker(places)
  checker.component(root, allowed, 'the top')
  return checker.problems
}

/** The builder's form offers `path` for a cursor; the manifest has another component for it. */
const intoPath =
  'To request the next page at the URL or path that the page token gives, write `page_token_option: { type: RequestPath }`. ' +
  'To put a value somewhere into the path, use a template in `path`.'

/** How many names are compared with misspelt ones, all together. */
const maxCompared = 200_000

class Checker {
  readonly problems: Problem[] = []
  readonly #places: Places
  readonly #seen = new Map<object, Set<string>>()

  #compared = 0

  constructor(places: Places) {
    this.#places = places
  }

  /** Each guess compares all names: of thousands of misspelt words the first ones get one. */
  #near(word: string, names: readonly string[], limit?: number): string | undefined {
    this.#compared += names.length
    return this.#compared > maxCompared ? undefined : nearMiss(word, names, limit)
  }

  /** A component of one of these types; `key` is the field that holds it. */
  component(node: TreeObject, allowed: readonly ComponentType[], key: string | number): void {
    const type = this.#typeOf(node, allowed, key)
    if (type === undefined) return
    if (!this.#isNew(node, type)) return
    this.#fields(node, components[type], type)
    for (const { code, message, field, hint } of ruleProblems(node, type)) {
      this.problems.push(problem(code, 'error', message, this.#places.at(node, field), hint))
    }
  }

  #typeOf(node: TreeObject, allowed: readonly ComponentType[], key: string | number): ComponentType | undefined {
    const { type } = node
    const only = allowed.length === 1 ? allowed[0] : undefined
    if (isComponentType(type) && allowed.includes(type)) return type
    if (only !== undefined && typeOptional.has(only) && !isComponentType(type)) return only
    if (type === undefined) {
      const untyped = allowed.find((name) => typeOptional.has(name))
      if (untyped !== undefined) return untyped
      const at = this.#places.at(node)
      const hint = only === undefined ? `Add \`type\`: ${listed(allowed)}.` : `Add \`type: ${only}\`.`
      this.problems.push(problem('manifest/missing-field', 'error', `\`${key}\` has no \`type\`.`, at, hint))
      return only
    }
    const at = this.#places.at(node, 'type')
    if (isComponentType(type)) {
      const message = `\`${type}\` is not allowed at \`${key}\`.`
      this.problems.push(problem('manifest/invalid-value', 'error', message, at, `Use ${listed(allowed)} here.`))
    } else {
      const near =
        typeof type === 'string'
          ? (this.#near(type, allowed, 4) ?? this.#near(type, Object.keys(components), 3))
          : undefined
      const message = `There is no component type ${found(type)}.`
      const hint = didYouMean(near, `Use ${listed(allowed)} here.`)
      this.problems.push(problem('manifest/unknown-component', 'error', message, at, hint))
    }
    return undefined
  }

  #fields(node: TreeObject, fields: ComponentFields, type: string): void {
    for (const name of Object.keys(fields)) {
      if (name.endsWith('?') || Object.hasOwn(node, name)) continue
      this.#reportMissing(node, fields, name, type)
    }
    for (const [field, value] of Object.entries(node)) {
      if (field === 'type' || field.startsWith('$')) continue
      const kind = fieldOf(fields, field)
      if (kind !== undefined) this.#value(value, kind, node, field)
      else this.#reportUnknown(node, fields, field, type)
    }
  }

  #value(value: unknown, kind: FieldKind, holder: object, key: string | number): void {
    if (value === broken || this.#isFull()) return
    const alternatives = alternativesOf(kind)
    if (alternatives.includes('any')) return
    if (Array.isArray(value)) return this.#list(value, alternatives, holder, key)
    if (isObject(value)) return this.#object(value, alternatives, holder, key)
    const verdict = accepts(alternatives, value)
    if (verdict === true) return
    const at = this.#places.at(holder, key)
    if (verdict === 'choice') {
      const choices = alternatives.flatMap((one) => (typeof one === 'object' && 'choice' in one ? one.choice : []))
      const near = typeof value === 'string' ? this.#near(value, choices, 4) : undefined
      const message = `${named(key, at)} is ${found(value)}; it can be ${listed(choices)}.`
      const hint = key === 'inject_into' && value === 'path' ? intoPath : didYouMean(near, `Use ${listed(choices)}.`)
      this.problems.push(problem('manifest/invalid-value', 'error', message, at, hint))
      return
    }
    this.#reportWrongType(value, alternatives, holder, key)
  }

  #list(value: unknown[], alternatives: readonly Single[], holder: object, key: string | number): void {
    const lists = alternatives.filter((one) => typeof one === 'object' && 'list' in one)
    // A key of nested fields is a list of lists: choose the alternative whose members are like those of the value.
    const nested = lists.find((one) =>
      alternativesOf(one.list).some((member) => typeof member === 'object' && 'list' in member),
    )
    const list = (value.some((member) => Array.isArray(member)) ? nested : undefined) ?? lists[0]
    if (list === undefined) return this.#reportWrongType(value, alternatives, holder, key)
    value.forEach((member, index) => this.#value(member, list.list, value, index))
  }

  #object(value: TreeObject, alternatives: readonly Single[], holder: object, key: string | number): void {
    const types = alternatives.filter((one) => isComponentType(one))
    if (types.length > 0) return this.component(value, types, key)
    if (alternatives.includes('map') || alternatives.includes('schema')) return
    for (const one of alternatives) {
      if (typeof one !== 'object') continue
      if ('shape' in one) return this.#fields(value, one.shape, String(key))
      if ('map' in one) {
        for (const [name, member] of Object.entries(value)) this.#value(member, one.map, value, name)
        return
      }
    }
    this.#reportWrongType(value, alternatives, holder, key)
  }

  #reportWrongType(value: unknown, alternatives: readonly Single[], holder: object, key: string | number): void {
    const at = this.#places.at(holder, key)
    const message = `${named(key, at)} is ${found(value)}; it must be ${wanted(alternatives)}.`
    const isScalar =
      typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Float
    const takesText = alternatives.includes('text') || alternatives.includes('template')
    const number = alternatives.includes('integer')
      ? 'a whole number'
      : alternatives.includes('number')
        ? 'a number'
        : null
    const hint =
      isScalar && takesText
        ? number === null
          ? `Write it in quotes: "${String(value)}".`
          : `Give it ${number}, or a template that gives one.`
        : value === null
          ? 'Give it a value, or remove the key.'
          : `Give it ${wanted(alternatives)}.`
    this.problems.push(problem('manifest/wrong-type', 'error', message, at, hint))
  }

  #reportMissing(node: TreeObject, fields: ComponentFields, name: string, type: string): void {
    // A misspelt key explains why the right one is missing.
    const strangers = Object.keys(node).filter((key) => fieldOf(fields, key) === undefined)
    const near = this.#near(name, strangers)
    const hint =
      near === undefined
        ? `Add \`${name}\`: ${wanted(alternativesOf(fields[name] ?? 'any'))}.`
        : `Is \`${near}\` meant to be \`${name}\`?`
    this.problems.push(
      problem('manifest/missing-field', 'error', `${type} has no \`${name}\`.`, this.#places.at(node), hint),
    )
  }

  #reportUnknown(node: TreeObject, fields: ComponentFields, field: string, type: string): void {
    if (this.#isFull() || /^(?:x-|__)/.test(field) || type.startsWith('Custom') || !this.#places.wrote(node, field))
      return
    const names = Object.keys(fields).map((name) => name.replace(/\?$/, ''))
    const near = this.#near(
      field,
      names.filter((name) => !Object.hasOwn(node, name)),
    )
    // Airbyte: refuses a stray key at the top, and passes over one in a component in silence.
    const severity = type === 'DeclarativeSource' ? 'error' : 'warning'
    if (near === undefined && severity === 'warning') return
    const hint = didYouMean(near, `A manifest has ${listed(names, 20)} at its top.`)
    const message = `${type} has no field \`${field}\`${severity === 'warning' ? '; it is ignored' : ''}.`
    this.problems.push(problem('manifest/unknown-field', severity, message, this.#places.atKey(node, field), hint))
  }

  /** After this many problems the rest is not checked, and the manifest is refused. */
  #isFull(): boolean {
    if (this.problems.length < maxProblems) return false
    if (this.problems.length === maxProblems) {
      const message = `The manifest has more than ${maxProblems} problems; the others are not listed.`
      const at = this.#places.locate('', 0)
      this.problems.push(problem('manifest/too-large', 'error', message, at, 'Fix those that are listed.'))
    }
    return true
  }

  #isNew(node: TreeObject, type: string): boolean {
    const types = this.#seen.get(node) ?? new Set()
    this.#seen.set(node, types)
    return types.size !== types.add(type).size
  }
}

type Broken = { code: ErrorCode; message: string; field: string | undefined; hint: string }

/** What is wrong with this component beyond its single fields. */
function ruleProblems(node: TreeObject, type: ComponentType): Broken[] {
  switch (type) {
    case 'DeclarativeSource':
      return node.streams === undefined && node.dynamic_streams === undefined
        ? [missing('The manifest has neither `streams` nor `dynamic_streams`.', 'Add `streams`: a list of streams.')]
        : []
    case 'RequestOption':
      return requestOption(node)
    case 'ApiKeyAuthenticator':
      return apiKey(node)
    default:
      return []
  }
}

/** The field; for an item of a list the list and its position: `http_codes/0`. */
function named(key: string | number, { pointer }: SourceLocation): string {
  const inList = typeof key === 'number' ? /[^/]*(?:\/\d+)+$/.exec(pointer) : null
  return `\`${inList?.[0] ?? key}\``
}

function requestOption(node: TreeObject): Broken[] {
  const hasName = isFilled(node.field_name)
  const hasPath = isFilled(node.field_path)
  if (!hasName && !hasPath) {
    return [
      missing(
        'The RequestOption has no `field_name`.',
        'Add `field_name`, or `field_path` for a nested place in a JSON body.',
      ),
    ]
  }
  if (hasName && hasPath) {
    return [invalid('field_path', 'The RequestOption has both `field_name` and `field_path`.', 'Keep one of the two.')]
  }
  if (hasPath && typeof node.inject_into === 'string' && node.inject_into !== 'body_json') {
    const message = `\`field_path\` needs \`inject_into: body_json\`; it is \`${node.inject_into}\`.`
    return [invalid('field_path', message, 'Use `field_name` here, or inject into `body_json`.')]
  }
  return []
}

function apiKey(node: TreeObject): Broken[] {
  const given = ['header', 'inject_into'].filter((field) => isFilled(node[field]))
  if (given.length === 1) return []
  const hint = 'Keep `inject_into` with a RequestOption, or `header` with the name of a header.'
  return given.length === 0
    ? [missing('The ApiKeyAuthenticator does not say where the key goes.', hint)]
    : [invalid('header', `The ApiKeyAuthenticator has both ${listed(given, 2, 'and')}.`, hint)]
}

function missing(message: string, hint: string): Broken {
  return { code: 'manifest/missing-field', message, field: undefined, hint }
}

function invalid(field: string, message: string, hint: string): Broken {
  return { code: 'manifest/invalid-value', message, field, hint }
}
