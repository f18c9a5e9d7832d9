/** The records of a page → a short key that tells pages apart. */
import { stringifyJson } from '../../json.ts'
import type { JsonRecord } from '../plan/plan.ts'

export type Fingerprint = {
  readonly key: string
  /** The key names every record by its identity: equal keys are the same records, whatever else changed in them. */
  readonly isIdentity: boolean
}

/**
 * Where the stream declares a primary key, records are told apart by it, in whatever order they come. Of others the
 * count, the first and the last must do: reading all would cost as much as decoding the page.
 */
export function fingerprint(received: readonly JsonRecord[], primaryKey: readonly (readonly string[])[]): Fingerprint {
  const identities = primaryKey.length === 0 ? null : identitiesOf(received, primaryKey)
  if (identities !== null) return { key: `${received.length}:${hash(identities)}`, isIdentity: true }
  const ends = stringifyJson([received[0], received.at(-1)])
  return { key: `${received.length}:${hash(ends)}`, isIdentity: false }
}

function identitiesOf(received: readonly JsonRecord[], paths: readonly (readonly string[])[]): string | null {
  const identities: string[] = []
  for (const record of received) {
    let identity = ''
    for (const path of paths) {
      const value = path.reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), record)
      if (value === undefined || value === null) return null
      identity += typeof value === 'string' || typeof value === 'number' ? `${value} ` : `${stringifyJson(value)} `
    }
    identities.push(identity)
  }
  return identities.toSorted().join('\n')
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Two rounds of FNV-1a with different seeds: 64 bits, no import, a microsecond per kilobyte. */
export function hash(text: string): string {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x5bd1e995) ^ (high >>> 15)
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36)
}
