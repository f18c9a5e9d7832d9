/** A candidate → a manifest that reads every page with it, as YAML. */
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { inferSchema } from '../../engine/records/infer-schema.ts'
import { splitPath, streamName, withFixedQuery } from '../../from-request/address.ts'
import { authenticatorOf, bodyField } from '../../from-request/request-components.ts'
import { withFirstOnly } from '../../from-request/first-request.ts'
import { manifestText } from '../../from-request/manifest-text.ts'
import { type GivenBody, type Pair, withoutPath } from '../../from-request/given-request.ts'
import type { OpenRequest } from '../../from-request/take-secrets.ts'
import type { Candidate, CandidatePlacement, Templated } from './detection.ts'
import type { EndFilter } from '../end-filter.ts'
import type { RecordLayout } from './probed-pages.ts'
import { type Put, type Slot, slotName, type SlotValue } from './probe-request.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { withValueAt } from '../../std/values/set-at.ts'
import { wordsOf } from '../names/name-style.ts'

type ManifestParts = {
  readonly open: OpenRequest
  readonly candidate: Candidate
  readonly layout: RecordLayout
  readonly records: readonly JsonRecord[]
  /** Recognises the refusal of a page past the end; null where none is needed. */
  readonly endRule: EndFilter | null
  /** Sent with every probe because the API requires it: what the paginator does not send stays fixed. */
  readonly needed: readonly Put[]
}

export function manifestFor({ open: given, candidate, layout, records, endRule, needed }: ManifestParts): string {
  const { template, firstOnly = [] } = candidate
  const open = withPuts(given, needed)
  const { base, rest } = splitPath(pathWith(open.path === '' ? '/' : open.path, template))
  const placed = [candidate.facts.token, candidate.facts.size].filter((one) => one !== null)
  const isFree =
    (into: CandidatePlacement['into']) =>
    ([name]: Pair) =>
      !placed.some((one) => one.into === into && one.name.toLowerCase() === name.toLowerCase())
  const fixed = withFirstOnly(open.query.filter(isFree('request_parameter')), firstOnly)
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
      body: bodyField(withoutPlaced(open.body, placed)),
      found: {
        recordPath: layout.path,
        primaryKey: layout.id,
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

function withPut(open: OpenRequest, { into, path }: Slot, value: SlotValue): OpenRequest {
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

/** What the paginator puts into the body must not be in the fixed body too. */
function withoutPlaced(body: GivenBody | null, placed: readonly CandidatePlacement[]): GivenBody | null {
  if (body?.kind === 'form') {
    const names = placed.flatMap(({ into, name }) => (into === 'body_data' ? [name] : []))
    return { ...body, pairs: body.pairs.filter(([name]) => !names.includes(name)) }
  }
  if (body?.kind !== 'json') return body
  const paths = placed.flatMap(({ into, name }) => (into === 'body_json' ? [name.split('.')] : []))
  return { ...body, value: paths.reduce(withoutPath, body.value) }
}

/** Some APIs refuse a page beyond the last where others send an empty one. */
function endOf(rule: EndFilter): Record<string, unknown> {
  return {
    type: 'DefaultErrorHandler',
    response_filters: [{ type: 'HttpResponseFilter', ...rule, action: 'IGNORE' }],
  }
}

/** The schema with `integer` where all samples are whole numbers: a double would lose digits of an id. */
type Schema = Readonly<Record<string, unknown>>

function withIntegers(schema: Schema, values: readonly unknown[], name = ''): Schema {
  const { type, properties, items } = schema
  const numbers = values.filter((value) => value !== null && value !== undefined)
  const isWhole = numbers.length > 0 && numbers.every(isWholeNumber) && !measures(name)
  const retyped = isWhole ? { type: integerIn(type) } : {}
  const inObject = isObject(properties) ? { properties: withIntegersIn(properties, values.filter(isObject)) } : {}
  const inList = isObject(items) ? { items: withIntegers(items, values.filter(isList).flat(), name) } : {}
  return { ...schema, ...retyped, ...inObject, ...inList }
}

function withIntegersIn(properties: Schema, records: readonly Schema[]): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isObject(schema)
        ? withIntegers(
            schema,
            records.map((record) => (Object.hasOwn(record, name) ? record[name] : null)),
            name,
          )
        : schema,
    ]),
  )
}

/** `1.0` and what has too many digits for a double's fraction are objects of their own, and no whole numbers. */
function isWholeNumber(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

function integerIn(type: unknown): unknown {
  return isList(type) ? type.map(integerIn) : type === 'number' ? 'integer' : type
}

/** What is measured has fractions sooner or later, whatever the first records show. */
function measures(name: string): boolean {
  const words = wordsOf(name)
  return !words.includes('id') && words.some((word) => measured.has(word))
}

const measured = new Set(
  `amount price cost fee tax rate ratio percent percentage score weight height width length depth balance value average avg mean
  lat latitude lng lon longitude distance temperature discount subtotal total sum revenue margin duration seconds hours volume
  area speed probability confidence progress rating`.split(/\s+/),
)
