/** A status → its problem details (RFC 9457). Nothing of the request is repeated. */
import { type SiteResponse, type SiteHeaders, answer } from './response.ts'

export const problemType = 'application/problem+json'

/** RFC 9110 §15: every status that is ever answered as a problem. */
export const phrases = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
} as const

export type ProblemStatus = keyof typeof phrases

export function problemText(status: ProblemStatus, detail: string, more: object = {}): string {
  return `${JSON.stringify({ type: 'about:blank', title: phrases[status], status, detail, ...more })}\n`
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
