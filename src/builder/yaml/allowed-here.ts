/** The maps around a position → what the field table allows there. */
import {
  type ComponentType,
  components,
  fieldOf,
  type ComponentFields,
  isComponentType,
} from '../../engine/manifest/components.ts'
import { defaultType } from '../../engine/manifest/default-types.ts'
import { alternativesOf, type Single } from '../../engine/manifest/value-kinds.ts'
import type { Level } from './written-place.ts'

/** What a map may be: its type where that is known, the fields it may have, and the types it could be of. */
export type Allowed = {
  readonly type: ComponentType | null
  readonly fields: ComponentFields | null
  readonly types: readonly ComponentType[]
}

export function allowedAt(levels: readonly Level[]): Allowed {
  let allowed: Allowed = { type: 'DeclarativeSource', fields: components.DeclarativeSource, types: [] }
  for (const level of levels.slice(1)) allowed = allowedIn(level, allowed)
  return allowed
}

function allowedIn({ members, steps }: Level, above: Allowed): Allowed {
  const kinds = kindsBelow(above, steps)
  const types = kinds.filter((kind) => isComponentType(kind))
  const written = withoutQuotes(members.get('type') ?? '')
  if (isComponentType(written)) return { type: written, fields: components[written], types }
  const [only, ...others] = types
  const type =
    defaultType(`${above.type}.${steps[0]}`, members.has('class_name')) ?? (others.length === 0 ? only : undefined)
  if (type !== undefined) return { type, fields: components[type], types: types.length === 0 ? [type] : types }
  const shape = kinds.find((kind) => typeof kind === 'object' && 'shape' in kind)
  return { type: null, fields: shape?.shape ?? mapFields(kinds), types }
}

/** What a map may contain after these steps: a field, then items of lists. */
export function kindsBelow({ fields }: Allowed, steps: readonly (string | null)[]): readonly Single[] {
  const [name, ...items] = steps
  if (fields === null || typeof name !== 'string') return []
  let kinds = alternativesOf(fieldOf(fields, name) ?? fields[anyName] ?? [])
  for (const _ of items) kinds = kinds.flatMap((kind) => (isListKind(kind) ? alternativesOf(kind.list) : []))
  return kinds
}

/** Any key of a map whose keys the author chooses. */
const anyName = '*'

function mapFields(kinds: readonly Single[]): ComponentFields | null {
  const map = kinds.find((kind) => typeof kind === 'object' && 'map' in kind)
  return map === undefined ? null : { [anyName]: map.map }
}

export function isListKind(kind: Single): kind is Extract<Single, { readonly list: unknown }> {
  return typeof kind === 'object' && 'list' in kind
}

function withoutQuotes(text: string): string {
  return text.trim().replace(/^(['"])(.*)\1$/, '$2')
}

/** The fields of a map by name: what each holds, and whether it may be left out. */
export function namedFields(
  fields: ComponentFields,
): { name: string; kinds: readonly Single[]; isOptional: boolean }[] {
  return Object.entries(fields)
    .filter(([name]) => name !== anyName)
    .map(([name, kind]) => ({
      name: name.replace(/\?$/, ''),
      kinds: alternativesOf(kind),
      isOptional: name.endsWith('?'),
    }))
}
