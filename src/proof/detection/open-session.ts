/** The first request: every probe is compared with its page. */
import { isUrl } from '../../std/text/is-url.ts'
import { ConnectorError } from '../../std/errors.ts'
import { linksOf } from '../../engine/pagination/link-header.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { otherFormat } from '../../engine/response/decode.ts'
import type { HttpResponse } from '../../engine/response/http-response.ts'
import { answeredWith } from '../../engine/response/outcome.ts'
import { digitsIn } from '../claims/link-query.ts'
import { isNameOf } from '../names/paging-names.ts'
import type { ProbeResponse, ProbeSender } from './probe-sender.ts'
import type { GivenInput } from './given-input.ts'
import { leavesOutsideList } from './leaves.ts'
import { isNew, recordLayoutOf, pageIn } from './probed-pages.ts'
import { filledSlots, type Put, type BaseRequest, requestOf, slotKey } from './probe-request.ts'
import { isRefused, readRefusal } from './refusals.ts'
import { isGraphql, isSlotOf, placesFor, slotOf, variablesOf } from './slots.ts'
import { nameStyleOf } from '../names/name-style.ts'
import { sayResponse, type DetectionSession } from './detection-session.ts'

/** `alone`: a response in which there is no list. */
type Opened =
  | { readonly session: DetectionSession }
  | { readonly alone: ProbeResponse; readonly needed: readonly Put[] }

export async function openDetectionSession(
  { question, taken }: GivenInput,
  sender: ProbeSender,
  stream: string,
): Promise<Opened> {
  const says = (response: ProbeResponse) => {
    const layout = response.isJson ? recordLayoutOf(response.body, stream) : null
    return sayResponse(response, layout, null)
  }
  let needed: readonly Put[] = requiredVariables(question)
  let answer = await sender.ask('What comes without pagination?', requestOf(question, needed), says)
  if (answer !== null && isRefused(answer)) {
    for (const puts of neededBy(answer, taken, question)) {
      const again = await sender.ask(
        'What does it return with the values it may require?',
        requestOf(question, puts),
        says,
      )
      if (again === null || again.status === null || again.status >= 300) continue
      const zero = await firstOf(puts, again, sender, { question, stream, says })
      needed = zero?.puts ?? puts
      answer = zero?.response ?? again
      break
    }
  }
  if (answer === null) throw new ConnectorError('detection/no-answer', 'No request was allowed.')
  refuseTrouble(answer)
  refuseErrors(answer, question)
  const layout = recordLayoutOf(answer.body, stream)
  const first = layout === null ? null : pageIn(answer, layout)
  if (layout === null || first === null) return { alone: answer, needed }
  const hints = [
    ...new Set([
      ...taken.flatMap(({ slot: { into, path } }) => (into === 'header' ? [] : (path.at(-1) as string))),
      ...dialectNames(answer),
      ...question.query.map(([name]) => name),
      ...hintsIn(answer, layout.path),
    ]),
  ]
  return { session: { question, sender, layout, first, hints, style: nameStyleOf(answer.body), needed, seen: [] } }
}

/** What a GraphQL query cannot do without, and was not given. */
function requiredVariables(question: BaseRequest): Put[] {
  const given = new Set(filledSlots(question).flatMap(({ slot, value }) => (value === null ? [] : [slotKey(slot)])))
  return variablesOf(question)
    .filter((one) => one.isRequired && one.type === 'Int' && !given.has(slotKey(slotOf(one))))
    .map((one) => ({ slot: slotOf(one), value: firstValue(one.argument ?? one.name) }))
}

/** Where a page number must be sent, a page 0 with other records is the first one. */
async function firstOf(
  puts: readonly Put[],
  response: ProbeResponse,
  sender: ProbeSender,
  { question, stream, says }: { question: BaseRequest; stream: string; says: (answer: ProbeResponse) => string },
): Promise<{ readonly puts: readonly Put[]; readonly response: ProbeResponse } | null> {
  const page = puts.find(({ slot, value }) => isSlotOf('page', slot) && String(value) === '1')
  const layout = response.isJson ? recordLayoutOf(response.body, stream) : null
  if (page === undefined || layout === null) return null
  const fromZero = puts.map((put) => (put === page ? { ...put, value: 0 } : put))
  const zero = await sender.ask('Is there a page before it?', requestOf(question, fromZero), says)
  const [one, other] = [pageIn(response, layout), zero === null ? null : pageIn(zero, layout)]
  if (one === null || other === null || zero === null) return null
  return isNew(other.keys, one.keys) ? { puts: fromZero, response: zero } : null
}

/** `page is required`: what a refusal names, with the values of a first page; where it names nothing, the most usual. */
function neededBy(response: ProbeResponse, taken: readonly Put[], question: BaseRequest): readonly (readonly Put[])[] {
  const counting = taken.filter(({ value }) => digitsIn(String(value)) !== null)
  const starting = counting.map(({ slot }): Put => ({ slot, value: firstValue(slot.path.at(-1) ?? '') }))
  if (taken.length > 0) return starting.length > 0 ? [starting, taken] : [taken]
  const named = readRefusal(response, []).offered
  const tries = named.length > 0 ? [named] : [['page'], ['offset']]
  return tries.map((names) =>
    names.flatMap((name): Put[] => {
      const [slot] = placesFor(question, [name])
      return slot === undefined ? [] : [{ slot, value: firstValue(name) }]
    }),
  )
}

function firstValue(name: string): number {
  if (isNameOf('size', name)) return 20
  return isNameOf('page', name) ? 1 : 0
}

function refuseTrouble(answer: ProbeResponse): void {
  const { status, response, message } = answer
  if (status === null || response === null)
    throw new ConnectorError('detection/no-answer', message ?? 'No response came.')
  if (status >= 200 && status < 300) {
    if (answer.isJson) return
    throw notJson(response)
  }
  const said = message === null ? '.' : `, and says: ${message}`
  if (status >= 300 && status < 400)
    throw new ConnectorError('detection/moved', `${answeredWith(response)}: it leads to ${placeIn(answer)}.`)
  if (status === 401 || status === 403)
    throw new ConnectorError('detection/unauthorized', answeredWith(response) + said)
  const hint = status === 429 || status === 503 ? { hint: 'Wait as long as the API asks, then try again.' } : {}
  throw new ConnectorError('detection/refused', answeredWith(response) + said, hint)
}

/** GraphQL refuses with 200. */
function refuseErrors({ body }: ProbeResponse, question: BaseRequest): void {
  if (!isGraphql(question) || !isObject(body) || !isList(body.errors) || body.errors.length === 0) return
  if (isObject(body.data) && Object.values(body.data).some((value) => value !== null)) return
  const [first]: readonly unknown[] = body.errors
  const message = isObject(first) && typeof first.message === 'string' ? first.message : 'no reason is given'
  throw new ConnectorError('detection/refused', `The response holds errors instead of data: ${message}`)
}

function notJson(response: HttpResponse): ConnectorError {
  const other = otherFormat(response, new TextDecoder().decode(response.body.subarray(0, 1000)))
  const came = other === null ? whatCame(response) : `${other.name}, not JSON`
  return new ConnectorError('detection/not-json', `${answeredWith(response)} with ${came}.`, {
    ...(other !== null && {
      hint: `Detection reads JSON only. Write the stream by hand, with ${other.decoder} in its retriever.`,
    }),
  })
}

function whatCame({ headers, body }: HttpResponse): string {
  if (body.length === 0) return 'no body'
  return /html/i.test(headers['content-type'] ?? '') ? 'an HTML page' : 'something that is not JSON'
}

function placeIn({ headers, url }: ProbeResponse): string {
  const { location = '' } = headers
  if (!isUrl(location, url)) return 'nowhere'
  const target = new URL(location, url)
  return target.origin + target.pathname
}

/** Names that the envelope and its links use: an API that says `per_page: 20` is mostly asked so. */
function hintsIn({ body, headers, url }: ProbeResponse, path: readonly string[]): string[] {
  const outside = leavesOutsideList(body, path).flatMap(({ path: at, value }) => {
    if (typeof value === 'number' || /^\d+$/.test(String(value))) return at.at(-1) ?? []
    return typeof value === 'string' ? namesIn(value, url) : []
  })
  const links = Object.values(linksOf(headers.link)).flatMap((link) => namesIn(link.url ?? '', url))
  return [...outside, ...links].filter((name) => name !== '')
}

function namesIn(text: string, url: string): string[] {
  if (!/^(https?:\/\/|\/|\?)\S*\?/.test(text) || !isUrl(text, url)) return []
  const target = new URL(text, url)
  return target.pathname === new URL(url).pathname ? [...target.searchParams.keys()] : []
}

/** A response of known server software → the parameters of that software, which are tried first. */
type Dialect = {
  readonly isOf: (members: Members, response: ProbeResponse) => boolean
  /** Where to begin, then how many. */
  readonly names: readonly string[]
}

const has = (members: Members, ...names: readonly string[]) => names.every((name) => Object.hasOwn(members, name))
const inside = (members: Members, name: string): Members => (isObject(members[name]) ? members[name] : {})

const dialects: readonly Dialect[] = [
  // Elasticsearch, OpenSearch
  {
    isOf: (body) => isList(inside(body, 'hits').hits) && (has(body, 'took') || has(inside(body, 'hits'), 'total')),
    names: ['from', 'size'],
  },
  // Solr
  { isOf: (body) => has(inside(body, 'response'), 'numFound', 'docs'), names: ['start', 'rows'] },
  // CouchDB views
  { isOf: (body) => has(body, 'total_rows', 'rows'), names: ['skip', 'limit'] },
  // ArcGIS
  {
    isOf: (body) => isList(body.features) && (has(body, 'objectIdFieldName') || has(body, 'exceededTransferLimit')),
    names: ['resultOffset', 'resultRecordCount'],
  },
  // Strapi
  {
    isOf: (body) => has(inside(inside(body, 'meta'), 'pagination'), 'pageCount', 'pageSize'),
    names: ['pagination[page]', 'pagination[pageSize]'],
  },
  {
    isOf: (body) => has(inside(inside(body, 'meta'), 'pagination'), 'start', 'limit'),
    names: ['pagination[start]', 'pagination[limit]'],
  },
  // OData
  { isOf: (body) => Object.keys(body).some((name) => /^@?odata\./.test(name)), names: ['$skip', '$top'] },
  // Socrata
  {
    isOf: (_body, { headers, url }) =>
      Object.keys(headers).some((name) => /^x-soda2-/i.test(name)) ||
      /\/resource\/\w{4}-\w{4}\.json$/.test(new URL(url).pathname),
    names: ['$offset', '$limit'],
  },
  // PostgREST, Supabase
  {
    isOf: (_body, { headers }) => /^(\*|\d+-\d+)\/(\*|\d+)$/.test(headers['content-range'] ?? ''),
    names: ['offset', 'limit'],
  },
]

/** None where the response is like that of no known software. */
function dialectNames(response: ProbeResponse): readonly string[] {
  const members: Members = isObject(response.body) ? response.body : {}
  return dialects.find(({ isOf }) => isOf(members, response))?.names ?? []
}
