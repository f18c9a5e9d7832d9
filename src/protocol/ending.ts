/** What a read showed × what was required → how the stream ended, and the error that says why it is not complete. */
import { ConnectorError } from '../std/errors.ts'
import type { StreamProof } from '../proof/receipts/receipt.ts'
import { type Requirement, suffices } from '../proof/verdict/verdict.ts'
import { sayVerdict } from './say.ts'

/** `complete` and STREAM_STATUS COMPLETE say the same; so do the other endings and INCOMPLETE. */
export type Ending = 'complete' | 'incomplete' | 'failed' | 'cancelled'

export type ReadToEnd = {
  readonly name: string
  readonly proof: StreamProof
  /** A limit of pages left something unread. */
  readonly isCut: boolean
  /** A slice that no limit cut is `incomplete`. */
  readonly isShort: boolean
}

export type EndOfRead =
  | { readonly ending: 'complete' }
  | { readonly ending: 'incomplete'; readonly error?: ConnectorError }

/**
 * Of a stream whose pages were all read without an error. A destination may replace its table only after `complete`.
 * A read that only its own limit of pages cut has no error: the user asked for it.
 */
export function endOfRead({ name, proof, isCut, isShort }: ReadToEnd, required: Requirement | undefined): EndOfRead {
  const { verdict } = proof
  if (required !== undefined && !suffices(verdict, required)) {
    const message = `Stream "${name}" is ${sayVerdict(proof)}; that is below the threshold set by \`--require ${required}\`.`
    return { ending: 'incomplete', error: new ConnectorError('insight/below-required', message) }
  }
  if (verdict === 'incomplete' && (isShort || !isCut)) {
    const message = `Stream "${name}" is ${sayVerdict(proof)}.`
    return { ending: 'incomplete', error: new ConnectorError('insight/incomplete', message) }
  }
  return { ending: isCut ? 'incomplete' : 'complete' }
}
