/** A place in the text → the keys and values that may be written there. */
import { type ComponentType, components, isComponentType } from '../../engine/manifest/components.ts'
import { type Single, wanted } from '../../engine/manifest/value-kinds.ts'
import { type Allowed, allowedAt, isListKind, kindsBelow, namedFields } from './allowed-here.ts'
import type { ReferenceTarget } from './reference-targets.ts'
import type { WrittenPlace } from './written-place.ts'

export type ManifestOffer = {
  readonly label: string
  readonly insert: string
  /** What it holds, in words. */
  readonly detail: string
  /** Needed ones come first. */
  readonly isNeeded: boolean
  /** It leads to further choices. */
  readonly hasNextOffer: boolean
}

export function offersAt(place: WrittenPlace, targets: () => readonly ReferenceTarget[]): ManifestOffer[] {
  const allowed = allowedAt(place.levels)
  return place.key === null ? keysAt(place, allowed) : valuesOf(place.key, allowed, targets)
}

function keysAt({ levels, begun, column }: WrittenPlace, allowed: Allowed): ManifestOffer[] {
  const written = levels.at(-1)?.members ?? new Map<string, string>()
  const isNew = (name: string) => name === begun || !written.has(name)
  const typed = [...(isNew('type') ? typeLines(allowed) : [])]
  const fields = namedFields(allowed.fields ?? {})
    .filter(({ name }) => isNew(name))
    .map(({ name, kinds, isOptional }) => ({
      label: name,
      insert: `${name}:${behindColon(kinds, column)}`,
      detail: `${isOptional ? '' : 'required, '}${plain(wanted(kinds))}`,
      isNeeded: !isOptional,
      hasNextOffer: true,
    }))
  const others = ['$ref', '$parameters'].filter(isNew).map((name) => ({
    label: name,
    insert: name === '$ref' ? '$ref: ' : `${name}:\n${' '.repeat(column + 2)}`,
    detail: name === '$ref' ? 'what is written elsewhere' : 'values for the templates below',
    isNeeded: false,
    hasNextOffer: name === '$ref',
  }))
  return [...typed, ...fields, ...(levels.length > 1 ? others : [])]
}

/** `type: OffsetIncrement` as a whole, where only a few types are allowed. */
function typeLines({ type, types }: Allowed): ManifestOffer[] {
  const possible = types.length === 0 && type !== null ? [type] : types
  if (possible.length === 0) {
    return [{ label: 'type', insert: 'type: ', detail: 'a component', isNeeded: true, hasNextOffer: true }]
  }
  return possible.map((one) => ({
    label: `type: ${one}`,
    insert: `type: ${one}`,
    detail: '',
    isNeeded: true,
    hasNextOffer: false,
  }))
}

/** A component, map or list continues on the next line. */
function behindColon(kinds: readonly Single[], column: number): string {
  const below = `\n${' '.repeat(column + 2)}`
  const isInline = kinds.some((kind) => !isBelow(kind))
  if (kinds.length === 0 || isInline) return ' '
  if (kinds.every(isListKind)) return `${below}- `
  return below
}

function isBelow(kind: Single): boolean {
  if (typeof kind === 'object') return !('choice' in kind)
  return isComponentType(kind) || kind === 'map' || kind === 'schema'
}

function valuesOf(key: string, allowed: Allowed, targets: () => readonly ReferenceTarget[]): ManifestOffer[] {
  if (key === '$ref') return referencesTo(targets(), allowed)
  if (key === 'type') {
    const types = allowed.types.length > 0 ? allowed.types : (Object.keys(components) as ComponentType[])
    return types.map((type) => value(type))
  }
  return kindsBelow(allowed, [key]).flatMap((kind) => {
    if (kind === 'boolean') return [value('true'), value('false')]
    return typeof kind === 'object' && 'choice' in kind ? kind.choice.map((choice) => value(choice)) : []
  })
}

/** All of them, those that fit first. */
function referencesTo(targets: readonly ReferenceTarget[], { types }: Allowed): ManifestOffer[] {
  const fits = ({ type }: ReferenceTarget) => types.some((one) => one === type)
  return targets.map((target) => ({
    ...value(`"${target.reference}"`, target.type ?? ''),
    label: target.reference,
    isNeeded: fits(target),
  }))
}

const value = (label: string, detail = ''): ManifestOffer => ({
  label,
  insert: label,
  detail,
  isNeeded: false,
  hasNextOffer: false,
})

const plain = (text: string) => text.replaceAll('`', '')
