/** A candidate → the text of a manifest that reads every page with it. */
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { inferSchema } from '../../engine/records/infer-schema.ts'
import { splitPath, streamName } from '../../from-request/address.ts'
import { authenticatorOf, bodyOf } from '../../from-request/components.ts'
import { manifestText } from '../../from-request/manifest-text.ts'
import type { OpenRequest } from '../../from-request/take-secrets.ts'
import type { Candidate } from './detection.ts'
import type { Reading } from './pages.ts'

export type ManifestParts = {
  readonly open: OpenRequest
  readonly candidate: Candidate
  readonly reading: Reading
  readonly records: readonly JsonRecord[]
  /** What a page beyond the last is refused with; null where it is answered. */
  readonly endStatus: number | null
}

export function manifestFor({ open, candidate, reading, records, endStatus }: ManifestParts): string {
  const { base, rest } = splitPath(open.path === '' ? '/' : open.path)
  const { facts } = candidate
  const isPlaced = ([name]: readonly [string, string]) =>
    facts.size?.into !== 'request_parameter' || name !== facts.size.name
  const inferring = inferSchema()
  for (const record of records) inferring.add(record)
  return manifestText({
    baseUrl: open.origin + base,
    authenticator: authenticatorOf(open.authentication),
    stream: {
      name: streamName(rest),
      path: rest,
      method: open.method,
      query: open.query.filter(isPlaced),
      headers: open.headers,
      body: bodyOf(open.body),
      queryNote: null,
      found: {
        recordPath: reading.path,
        primaryKey: reading.id,
        note: candidate.says,
        paginator: candidate.paginator,
        errorHandler: endStatus === null ? null : endOf(endStatus),
        schema: inferring.schema(),
      },
    },
    inputs: open.inputs,
  })
}

/** Some APIs refuse a page beyond the last where others send an empty one. */
function endOf(status: number): Record<string, unknown> {
  return {
    type: 'DefaultErrorHandler',
    response_filters: [{ type: 'HttpResponseFilter', http_codes: [status], action: 'IGNORE' }],
  }
}
