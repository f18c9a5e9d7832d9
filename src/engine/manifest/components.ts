/** Every component type with its fields, the TypeScript types that follow from them, and the components in a part of a manifest. */
import { authentication } from './table/authentication.ts'
import { failures } from './table/failures.ts'
import { pagination } from './table/pagination.ts'
import { records } from './table/records.ts'
import { requests } from './table/requests.ts'
import { slicing } from './table/slicing.ts'
import { source } from './table/source.ts'
import { streams } from './table/streams.ts'

/**
 * What a field holds: a plain value, a component of the type named, or any of a list of these.
 * `template` is text with `{{ … }}` in it, `schema` a JSON schema, `map` an object with keys of the author's choice.
 */
export type FieldKind =
  | keyof Plain
  | ComponentType
  | { readonly list: FieldKind }
  | { readonly map: FieldKind }
  | { readonly choice: readonly string[] }
  | { readonly shape: ComponentFields }
  | readonly FieldKind[]

/** Field → what it holds. A name that ends in `?` may be left out. */
export type ComponentFields = { readonly [field: string]: FieldKind }

const table = {
  ...source,
  ...streams,
  ...requests,
  ...pagination,
  ...authentication,
  ...failures,
  ...records,
  ...slicing,
} as const

type Table = typeof table

export type ComponentType = keyof Table

/** The table, for programs that iterate over it. */
export const components: { readonly [type in ComponentType]: ComponentFields } = table

/** Components that are known by their place, so that `type` may be missing. */
export const typeOptional: ReadonlySet<string> = new Set<ComponentType>([
  'AsyncJobStatusMap',
  'AuthFlow',
  'ComplexFieldType',
  'ConcurrencyLevel',
  'HttpRequestRegexMatcher',
  'LegacyToPerPartitionStateMigration',
  'OAuthConfigSpecification',
  'Rate',
  'RequestBodyGraphQlQuery',
  'SchemaTypeIdentifier',
  'StreamGroup',
  'TypesMap',
])

export function isComponentType(type: unknown): type is ComponentType {
  return typeof type === 'string' && Object.hasOwn(table, type)
}

/** What this field may hold; undefined when there is no such field. */
export function fieldOf(fields: ComponentFields, name: string): FieldKind | undefined {
  if (Object.hasOwn(fields, name)) return fields[name]
  return Object.hasOwn(fields, `${name}?`) ? fields[`${name}?`] : undefined
}

/** Fields that hold data of the author's own, where a `type` is not a component. */
export function isData(type: unknown, field: string): boolean {
  if (field === '$parameters' || field === 'config_overrides') return true
  if (type === 'InlineSchemaLoader') return field === 'schema'
  if (type === 'Spec') return field === 'connection_specification'
  return type === 'DeclarativeSource' && (field === 'definitions' || field === 'schemas' || field === 'metadata')
}

/** Whether the field holds a number, so that `100.0` there means `100`. */
export function holdsNumber(type: string, field: string): boolean {
  const kind = isComponentType(type) ? fieldOf(components[type], field) : undefined
  const alternatives: readonly unknown[] = Array.isArray(kind) ? kind : [kind]
  return alternatives.includes('integer') || alternatives.includes('number')
}

// Lists come first: they have a member named `map` as well.
type ValueOf<K> = K extends readonly (infer Alternative)[]
  ? ValueOf<Alternative>
  : K extends keyof Plain
    ? Plain[K]
    : K extends ComponentType
      ? ComponentOf<K>
      : K extends { readonly list: infer Member }
        ? readonly ValueOf<Member>[]
        : K extends { readonly map: infer Member }
          ? Readonly<Record<string, ValueOf<Member>>>
          : K extends { readonly choice: readonly (infer Choice)[] }
            ? Choice
            : K extends { readonly shape: infer Shape }
              ? FieldsOf<Shape>
              : unknown

type Plain = {
  text: string
  template: string
  integer: number
  number: number
  boolean: boolean
  null: null
  map: Readonly<Record<string, unknown>>
  schema: Readonly<Record<string, unknown>>
  any: unknown
}

type FieldsOf<F> = {
  readonly [Key in keyof F as Key extends `${string}?` ? never : Key]: ValueOf<F[Key]>
} & {
  readonly [Key in keyof F as Key extends `${infer Name}?` ? Name : never]?: ValueOf<F[Key]>
}

/** A component of this type, each field typed as the table says: `ComponentOf<'HttpRequester'>`. */
export type ComponentOf<Type extends ComponentType> = Type extends ComponentType
  ? { readonly type: Type; readonly $parameters?: Readonly<Record<string, unknown>> } & FieldsOf<Table[Type]>
  : never

/** Whether this value of a checked manifest is a component of that type. */
export function isComponent<Type extends ComponentType>(value: unknown, type: Type): value is ComponentOf<Type> {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === type
}

export type FoundComponent = { readonly type: string; readonly node: object }

/** Itself included, in the order of the tree, each once; what is data, such as a schema, holds none. */
export function componentsWithin(whole: unknown): FoundComponent[] {
  const found: FoundComponent[] = []
  const seen = new Set<object>()
  collect(whole)
  return found

  function collect(node: unknown): void {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    if (Array.isArray(node)) return node.forEach(collect)
    const { type } = node as { type?: unknown }
    if (typeof type === 'string') found.push({ type, node })
    for (const [field, member] of Object.entries(node)) if (!isData(type, field)) collect(member)
  }
}
