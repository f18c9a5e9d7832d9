/** The records of a page → a short key that tells pages apart. */
import { stringifyJson } from '../../json.ts'
import type { JsonRecord } from '../plan/plan.ts'

export type Fingerprint = {
  readonly key: string
  /** The key names every record by its identity: equal keys are the same records, whatever else changed in them. */
  readonly isIdentity: boolean
}

/**
 * Records that name themselves, by the stream's primary key or an `id`, are told apart by those names. Of others the
 * count, the first and the last must do: reading all would cost as much as decoding the page.
 */
export function fingerprint(received: readonly JsonRecord[], primaryKey: readonly (readonly string[])[]): Fingerprint {
  const identities = identitiesOf(received, primaryKey.length > 0 ? primaryKey : [['id']])
  if (identities !== null) return { key: `${received.length}:${hash(identities)}`, isIdentity: true }
  const ends = stringifyJson([received[0], received.at(-1)])
  return { key: `${received.length}:${hash(ends)}`, isIdentity: false }
}

function identitiesOf(received: readonly JsonRecord[], paths: readonly (readonly string[])[]): string | null {
  let identities = ''
  for (const record of received) {
    for (const path of paths) {
      const value = path.reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), record)
      if (value === undefined || value === null) return null
      identities += typeof value === 'string' || typeof value === 'number' ? `${value}\n` : `${stringifyJson(value)}\n`
    }
  }
  return identities
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
