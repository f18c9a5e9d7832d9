/** The inputs of a connector, as its spec declares them, as edits of the manifest's text. */
import { isObject, type Members } from '../../../std/values/objects.ts'
import { removeResolved, setResolved } from '../../../document/edit-resolved.ts'
import { renameKey, setIn } from '../../../document/edit.ts'
import { follow } from '../../../document/follow.ts'
import { openDocument } from '../../../document/open-document.ts'
import { type Path, valueAt } from '../../../document/value-path.ts'
import { inputUses, withInputRenamed } from './config-references.ts'

const schemaAt: Path = ['spec', 'connection_specification']
const propertiesAt: Path = [...schemaAt, 'properties']
const requiredAt: Path = [...schemaAt, 'required']

export type SpecInput = { readonly name: string; readonly schema: Members; readonly isRequired: boolean }

/** By their `order`, as forms of the public builder show them; those without one last. */
export function inputsIn(root: unknown): SpecInput[] {
  const { value: properties } = follow(root, propertiesAt)
  const required = requiredNames(root)
  return Object.entries(isObject(properties) ? properties : {})
    .map(([name, schema]) => ({ name, schema: isObject(schema) ? schema : {}, isRequired: required.includes(name) }))
    .toSorted((one, other) => orderOf(one) - orderOf(other))
}

export function inputAt(name: string): Path {
  return [...propertiesAt, name]
}

/** Makes the spec if need be. What has this name already stays as it is. */
export function addInput(text: string, name: string, schema: Members, isRequired = true): string {
  const root = openDocument(text).value
  if (follow(root, inputAt(name)).value !== undefined) return text
  const based = follow(root, schemaAt).value === undefined ? setResolved(text, ['spec'], emptySpec) : text
  const order = Math.max(-1, ...inputsIn(root).map(orderOf).filter(Number.isFinite)) + 1
  const added = setResolved(based, inputAt(name), { type: 'string', ...schema, order })
  return isRequired ? requireInput(added, name, true) : added
}

const emptySpec = {
  type: 'Spec',
  connection_specification: {
    type: 'object',
    $schema: 'http://json-schema.org/draft-07/schema#',
    additionalProperties: true,
    required: [],
    properties: {},
  },
}

export function requireInput(text: string, name: string, isRequired: boolean): string {
  const others = requiredNames(openDocument(text).value).filter((one) => one !== name)
  if (isRequired) return setResolved(text, requiredAt, [...others, name])
  return others.length === 0 ? removeResolved(text, requiredAt) : setResolved(text, requiredAt, others)
}

/** Wherever the name is written: in the spec, and in every template that uses it. */
export function renameInput(text: string, from: string, to: string): string {
  const root = openDocument(text).value
  const names = requiredNames(root)
  let now = renameKey(text, follow(root, inputAt(from)).writtenAt, to)
  if (names.includes(from)) {
    now = setResolved(
      now,
      requiredAt,
      names.map((name) => (name === from ? to : name)),
    )
  }
  for (const at of inputUses(openDocument(now).value, from)) {
    now = setIn(now, at, withInputRenamed(valueAt(openDocument(now).value, at), from, to))
  }
  return now
}

export function removeInput(text: string, name: string): string {
  return removeResolved(requireInput(text, name, false), inputAt(name))
}

/** Why an input cannot have this name; null when it can. */
export function nameFault(root: unknown, name: string): string | null {
  if (name === '') return 'Enter a name for the input.'
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return 'Letters, digits, _ and -, and a letter first.'
  return follow(root, inputAt(name)).value === undefined ? null : 'Another input has this name.'
}

/** `api_key` → “API key”. */
export function titleFrom(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .replaceAll(/\b(?:api|id|url|oauth|jwt)\b/gi, (word) => (word === 'oauth' ? 'OAuth' : word.toUpperCase()))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function requiredNames(root: unknown): string[] {
  const { value } = follow(root, requiredAt)
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
}

function orderOf({ schema: { order } }: SpecInput): number {
  return typeof order === 'number' ? order : Number.POSITIVE_INFINITY
}
