/** A schema with `$ref`, `allOf`, `oneOf` and `anyOf` → its own members as one flat view, made once for each schema. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { isTemplateLike } from '../input-names.ts'
import type { References } from './references.ts'

export type SchemaView = {
  /** `object`, `array`, `string` …; null where the schema does not say it, or allows several. */
  readonly type: string | null
  readonly format: string | null
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  readonly items: unknown
  readonly words: string
  readonly fallback: unknown
  readonly choices: readonly unknown[]
  readonly minimum: number | null
  readonly maximum: number | null
  /** The values of an object whose names are data. */
  readonly values: unknown
  readonly example: unknown
}

export type ViewOf = (schema: unknown) => SchemaView

type Draft = { -readonly [Key in keyof SchemaView]: SchemaView[Key] } & {
  types: Set<string>
  properties: Map<string, unknown>
  required: Set<string>
}

const mostParts = 400

export function schemaViews({ follow }: References): ViewOf {
  const known = new WeakMap<Members, SchemaView>()

  function viewOf(schema: unknown): SchemaView {
    const found = follow(schema)
    if (found === null) return emptyView
    const before = known.get(found)
    if (before !== undefined) return before
    const draft = newDraft()
    add(found, draft, { isCertain: true, open: new Set() })
    const view = finished(draft)
    known.set(found, view)
    return view
  }

  /** `isCertain`: all of it holds; otherwise it is one of several choices, whose fields may be missing. */
  function add(
    schema: Members,
    draft: Draft,
    { isCertain, open }: { readonly isCertain: boolean; readonly open: Set<Members> },
  ): void {
    if (open.has(schema) || open.size > mostParts) return
    open.add(schema)
    addOwn(schema, draft, isCertain)
    for (const part of partsOf(schema.allOf)) {
      const found = follow(part)
      if (found !== null) add(found, draft, { isCertain, open })
    }
    const choices = [...partsOf(schema.oneOf), ...partsOf(schema.anyOf)].map(follow)
    const meant = choices.filter((one) => one !== null && one.type !== 'null')
    for (const choice of meant)
      if (choice !== null) add(choice, draft, { isCertain: isCertain && meant.length === 1, open })
  }

  return viewOf
}

function partsOf(value: unknown): readonly unknown[] {
  return isList(value) ? value.slice(0, 60) : []
}

function newDraft(): Draft {
  return { ...emptyView, types: new Set(), properties: new Map(), required: new Set() }
}

/** What an earlier part of the schema says is kept. */
function addOwn(schema: Members, draft: Draft, isCertain: boolean): void {
  addNames(schema, draft, isCertain)
  draft.items ??= schema.items
  draft.values ??= isObject(schema.additionalProperties) ? schema.additionalProperties : undefined
  draft.format ??= stringIn(schema.format)
  draft.words ||= stringIn(schema.description) ?? ''
  draft.fallback ??= schema.default
  draft.example ??= schema.example
  if (draft.choices.length === 0) draft.choices = choicesIn(schema)
  draft.minimum ??= numberIn(schema.minimum)
  draft.maximum ??= numberIn(schema.maximum)
}

/** Types, properties and required properties are those of all parts together. */
function addNames({ type: types, properties, required }: Members, draft: Draft, isCertain: boolean): void {
  for (const type of isList(types) ? types : [types]) {
    if (typeof type === 'string' && type !== 'null') draft.types.add(type)
  }
  for (const [name, one] of Object.entries(isObject(properties) ? properties : {})) {
    if (!draft.properties.has(name) && !isTemplateLike(name)) draft.properties.set(name, one)
  }
  for (const name of isCertain && isList(required) ? required : []) {
    if (typeof name === 'string') draft.required.add(name)
  }
}

const stringIn = (value: unknown) => (typeof value === 'string' ? value : null)
const numberIn = (value: unknown) => (typeof value === 'number' ? value : null)

function choicesIn(schema: Members): readonly unknown[] {
  if (isList(schema.enum) && schema.enum.length > 0) return schema.enum
  return schema.const === undefined ? [] : [schema.const]
}

function finished({ types, ...draft }: Draft): SchemaView {
  return { ...draft, type: typeOf(types, draft) }
}

/** Null where several types are possible, or none is known. */
function typeOf(types: ReadonlySet<string>, { properties, items }: Omit<Draft, 'types'>): string | null {
  const [first, ...others] = types
  // Many descriptions leave the type out where the members show it.
  if (first === undefined) return properties.size > 0 ? 'object' : items === undefined ? null : 'array'
  if (others.length === 0) return first
  if (types.size === 2 && types.has('integer') && types.has('number')) return 'number'
  return types.has('array') && items !== undefined ? 'array' : null
}

const emptyView: SchemaView = {
  type: null,
  format: null,
  properties: new Map(),
  required: new Set(),
  items: undefined,
  words: '',
  fallback: undefined,
  choices: [],
  minimum: null,
  maximum: null,
  values: undefined,
  example: undefined,
}
