/** A candidate → the text of a manifest that reads every page with it. */
import { withValueAt } from '../../std/values/set-at.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { inferSchema } from '../../engine/records/infer-schema.ts'
import { splitPath, streamName, withFixedQuery } from '../../from-request/address.ts'
import { authenticatorOf, bodyOf } from '../../from-request/components.ts'
import { manifestText } from '../../from-request/manifest-text.ts'
import { type GivenBody, type Pair, withoutPath } from '../../from-request/given-request.ts'
import type { OpenRequest } from '../../from-request/take-secrets.ts'
import type { Candidate, Placed, Templated } from './detection.ts'
import type { EndRule } from './end-rule.ts'
import { withIntegers } from './integers.ts'
import type { Reading } from './pages.ts'
import { type Put, type Slot, slotName, type Value } from './question.ts'

export type ManifestParts = {
  readonly open: OpenRequest
  readonly candidate: Candidate
  readonly reading: Reading
  readonly records: readonly JsonRecord[]
  /** How a refusal of a page beyond the last is told; null where none is needed. */
  readonly endRule: EndRule | null
  /** Sent with every probe since the API refuses requests without it: what the paginator does not send stays fixed. */
  readonly needed: readonly Put[]
}

export function manifestFor({ open: given, candidate, reading, records, endRule, needed }: ManifestParts): string {
  const { template } = candidate
  const open = withPuts(given, needed)
  const { base, rest } = splitPath(pathWith(open.path === '' ? '/' : open.path, template))
  const placed = [candidate.facts.token, candidate.facts.size].filter((one) => one !== null)
  const isFree =
    (into: Placed['into']) =>
    ([name]: Pair) =>
      !placed.some((one) => one.into === into && one.name.toLowerCase() === name.toLowerCase())
  const fixed = open.query.filter(isFree('request_parameter'))
  const isWhole = template?.into === 'request_parameters'
  const inferring = inferSchema()
  for (const record of records) inferring.add(record)
  const schema = inferring.schema()
  return manifestText({
    baseUrl: open.origin + base,
    authenticator: authenticatorOf(open.authentication),
    stream: {
      name: streamName(rest),
      path: isWhole
        ? withFixedQuery(
            rest,
            fixed.filter(([name]) => !template.names.includes(name)),
          )
        : rest,
      method: open.method,
      query: [...fixed, ...(template?.into === 'request_parameter' ? [[template.name, template.text] as const] : [])],
      queryTemplate: isWhole ? template.text : null,
      headers: open.headers.filter(isFree('header')),
      body: bodyOf(withoutPlaced(open.body, placed)),
      queryNote: null,
      found: {
        recordPath: reading.path,
        primaryKey: reading.id,
        note: candidate.says.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
        paginator: candidate.paginator,
        errorHandler: endRule === null ? null : endOf(endRule),
        schema: schema === null ? null : withIntegers(schema, records),
      },
    },
    inputs: open.inputs,
  })
}

/** The request as the probes sent it. */
function withPuts(open: OpenRequest, puts: readonly Put[]): OpenRequest {
  return puts.reduce((request, { slot, value }) => withPut(request, slot, value), open)
}

function withPut(open: OpenRequest, { into, path }: Slot, value: Value): OpenRequest {
  const name = slotName({ into, path })
  const pair = [name, String(value)] as const
  const others = (pairs: readonly Pair[]) => pairs.filter(([known]) => known.toLowerCase() !== name.toLowerCase())
  switch (into) {
    case 'request_parameter':
      return { ...open, query: [...others(open.query), pair] }
    case 'header':
      return { ...open, headers: [...others(open.headers), pair] }
    case 'body_data': {
      const pairs = open.body?.kind === 'form' ? open.body.pairs : []
      return { ...open, body: { kind: 'form', pairs: [...others(pairs), pair] } }
    }
    case 'body_json': {
      const json = open.body?.kind === 'json' ? open.body.value : {}
      return { ...open, body: { kind: 'json', value: withValueAt(json, path, value) } }
    }
    case 'path':
      return open
  }
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

/** Some APIs refuse a page beyond the last where others send an empty one. */
function endOf(rule: EndRule): Record<string, unknown> {
  return {
    type: 'DefaultErrorHandler',
    response_filters: [{ type: 'HttpResponseFilter', ...rule, action: 'IGNORE' }],
  }
}
