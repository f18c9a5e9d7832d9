/** The records of a page → a hash that tells pages apart. */
import { stringifyJson } from '../../std/json.ts'
import { Hash } from '../../std/hashing/hash.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { hashKey, type KeyPaths } from './record-key.ts'

export type Fingerprint = {
  readonly hash: Hash
  /** The hash names every record by its identity: equal hashes are the same records, whatever else changed in them. */
  readonly isIdentity: boolean
  /** The first row and the last are the same: rows of this API come again within a page, so that pages may come again, too. */
  readonly hasEqualRows: boolean
}

/**
 * Where the stream declares a primary key, records are told apart by it, in whatever order they come. Of others the
 * count, the first and the last must do: reading all would cost as much as decoding the page.
 */
export function fingerprint(received: readonly JsonRecord[], primaryKey: KeyPaths): Fingerprint {
  const identities = primaryKey.length === 0 ? null : identitiesOf(received, primaryKey)
  if (identities !== null) return { hash: identities, isIdentity: true, hasEqualRows: false }
  const first = stringifyJson(received[0])
  const last = stringifyJson(received.at(-1))
  const hash = new Hash().start(received.length).add(first).add(last).end()
  return { hash, isIdentity: false, hasEqualRows: received.length > 1 && first === last }
}

/** Every record, whole. */
export function thoroughFingerprint(received: readonly JsonRecord[]): Hash {
  return new Hash().start(received.length).add(stringifyJson(received)).end()
}

/** A sum does not mind the order. Null when a record has no value in its key. */
function identitiesOf(received: readonly JsonRecord[], paths: KeyPaths): Hash | null {
  let low = 0
  let high = 0
  for (const record of received) {
    const key = hashKey(record, paths)
    if (key === null) return null
    low = (low + key.low) | 0
    high = (high + key.high) | 0
  }
  return new Hash().start(received.length).add(low).add(high).end()
}

export function requestFingerprint({ method, url, headers, body }: HttpRequest): Hash {
  return new Hash()
    .start()
    .add(method)
    .add(url)
    .add(JSON.stringify(headers))
    .add(body ?? '')
    .end()
}
