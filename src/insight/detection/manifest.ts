/** A candidate → the text of a manifest that reads every page with it. */
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { inferSchema } from '../../engine/records/infer-schema.ts'
import { splitPath, streamName } from '../../from-request/address.ts'
import { authenticatorOf, bodyOf } from '../../from-request/components.ts'
import { manifestText } from '../../from-request/manifest-text.ts'
import type { OpenRequest } from '../../from-request/take-secrets.ts'
import type { GivenBody, Pair } from '../../from-request/given-request.ts'
import { isObject } from '../../members.ts'
import type { Candidate, Placed, Templated } from './detection.ts'
import type { EndRule } from './end-rule.ts'
import type { Reading } from './pages.ts'

export type ManifestParts = {
  readonly open: OpenRequest
  readonly candidate: Candidate
  readonly reading: Reading
  readonly records: readonly JsonRecord[]
  /** How a refusal of a page beyond the last is told; null where none is needed. */
  readonly endRule: EndRule | null
}

export function manifestFor({ open, candidate, reading, records, endRule }: ManifestParts): string {
  const { template } = candidate
  const { base, rest } = splitPath(pathWith(open.path === '' ? '/' : open.path, template))
  const placed = [candidate.facts.token, candidate.facts.size].filter((one) => one !== null)
  const isFree =
    (into: Placed['into']) =>
    ([name]: Pair) =>
      !placed.some((one) => one.into === into && one.name === name)
  const inferring = inferSchema()
  for (const record of records) inferring.add(record)
  return manifestText({
    baseUrl: open.origin + base,
    authenticator: authenticatorOf(open.authentication),
    stream: {
      name: streamName(rest),
      path: rest,
      method: open.method,
      query: [
        ...open.query.filter(isFree('request_parameter')),
        ...(template?.into === 'request_parameter' ? [[template.name, template.text] as const] : []),
      ],
      headers: open.headers.filter(isFree('header')),
      body: bodyOf(withoutPlaced(open.body, placed)),
      queryNote: null,
      found: {
        recordPath: reading.path,
        primaryKey: reading.id,
        note: candidate.says.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
        paginator: candidate.paginator,
        errorHandler: endRule === null ? null : endOf(endRule),
        schema: inferring.schema(),
      },
    },
    inputs: open.inputs,
  })
}

function pathWith(path: string, template: Templated | undefined): string {
  if (template?.into !== 'path') return path
  const parts = path.split('/')
  parts[parts.length - 1 - template.fromEnd] = template.text
  return parts.join('/')
}

/** What the paginator puts into the body must not stand there as well. */
function withoutPlaced(body: GivenBody | null, placed: readonly Placed[]): GivenBody | null {
  if (body?.kind === 'form') {
    const names = placed.flatMap(({ into, name }) => (into === 'body_data' ? [name] : []))
    return { ...body, pairs: body.pairs.filter(([name]) => !names.includes(name)) }
  }
  if (body?.kind !== 'json') return body
  const paths = placed.flatMap(({ into, name }) => (into === 'body_json' ? [name.split('.')] : []))
  return { ...body, value: paths.reduce(withoutPath, body.value) }
}

function withoutPath(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || !isObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: member, ...others } = value
  return rest.length === 0 ? others : { ...value, [name]: withoutPath(member, rest) }
}

/** Some APIs refuse a page beyond the last where others send an empty one. */
function endOf(rule: EndRule): Record<string, unknown> {
  return {
    type: 'DefaultErrorHandler',
    response_filters: [{ type: 'HttpResponseFilter', ...rule, action: 'IGNORE' }],
  }
}
