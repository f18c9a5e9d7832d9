/** What the background thread is asked, and what it replies. */
import type { DocumentProblem } from '../../document/source-tree.ts'

/** A request with a long text in it: writing that as JSON, and handing it to the network, would hold up a key press. */
export type AskJob = {
  readonly kind: 'ask'
  readonly path: string
  readonly text: string
  /** The other members of the body, as JSON: numbers keep all their digits. */
  readonly others: string
  readonly token: string | null
}

/** Why a text cannot be read. */
export type ProblemJob = { readonly kind: 'problem'; readonly text: string }

export type BackgroundJob = AskJob | ProblemJob

/** Null when the server did not answer. */
export type AskReply = { readonly status: number; readonly text: string } | null

export type BackgroundMessage =
  | { readonly id: number; readonly job: BackgroundJob }
  /** Its result is no longer wanted. */
  | { readonly id: number; readonly job: null }

export type BackgroundReply = { readonly id: number; readonly result: AskReply | DocumentProblem | null }
