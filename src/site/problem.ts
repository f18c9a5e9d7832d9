/** A status → its problem details (RFC 9457). Nothing of the request is repeated. */
import { reasonPhrases } from '../std/text/reason-phrases.ts'
import { type SiteResponse, type SiteHeaders, answer } from './response.ts'

export const problemType = 'application/problem+json'

/** Every status that is ever answered as a problem. */
export type ProblemStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 406
  | 408
  | 409
  | 410
  | 413
  | 414
  | 415
  | 422
  | 429
  | 431
  | 500

export function problemText(status: ProblemStatus, detail: string, more: object = {}): string {
  return `${JSON.stringify({ type: 'about:blank', title: reasonPhrases[status], status, detail, ...more })}\n`
}

export function siteProblem(
  status: ProblemStatus,
  detail: string,
  fields: SiteHeaders = {},
  more: object = {},
): SiteResponse {
  const headers = { 'Content-Type': problemType, 'Cache-Control': 'no-store', ...fields }
  return answer(status, headers, problemText(status, detail, more))
}
