/** The first request: its page is what every probe is compared with. */
import { isUrl } from '../../is-url.ts'
import { ConnectorError } from '../../errors.ts'
import { linksOf } from '../../engine/pagination/headers.ts'
import { isList, isObject } from '../../members.ts'
import type { HttpResponse } from '../../engine/response/http-response.ts'
import { answeredWith } from '../../engine/response/outcome.ts'
import { digitsIn } from '../link-query.ts'
import { isNameOf } from '../paging-names.ts'
import type { Answer, Asking } from './asking.ts'
import { dialectNames } from './dialects.ts'
import type { Given } from './given.ts'
import { leavesBeside } from './leaves.ts'
import { isNew, readingOf, shownIn } from './pages.ts'
import { filledSlots, type Put, type Question, requestOf, slotKey } from './question.ts'
import { isRefused, readRefusal } from './refusals.ts'
import { isGraphql, isSlotOf, placesFor, slotOf, variablesOf } from './slots.ts'
import { styleOf } from './name-style.ts'
import { sayAnswer, type Walk } from './walk.ts'

/** `alone`: an answer in which there is no list. */
export type Opened = { readonly walk: Walk } | { readonly alone: Answer; readonly needed: readonly Put[] }

export async function openWalk({ question, taken }: Given, asking: Asking, stream: string): Promise<Opened> {
  const says = (answer: Answer) => {
    const reading = answer.isJson ? readingOf(answer.body, stream) : null
    return sayAnswer(answer, reading, null)
  }
  let needed: readonly Put[] = requiredVariables(question)
  let answer = await asking.ask('What comes without any paging?', requestOf(question, needed), says)
  if (answer !== null && isRefused(answer)) {
    for (const puts of neededBy(answer, taken, question)) {
      const again = await asking.ask('What comes with what it may want?', requestOf(question, puts), says)
      if (again === null || again.status === null || again.status >= 300) continue
      const zero = await firstOf(puts, again, asking, { question, stream, says })
      needed = zero?.puts ?? puts
      answer = zero?.answer ?? again
      break
    }
  }
  if (answer === null) throw new ConnectorError('detection/no-answer', 'No request was allowed.')
  refuseTrouble(answer)
  refuseErrors(answer, question)
  const reading = readingOf(answer.body, stream)
  const first = reading === null ? null : shownIn(answer, reading)
  if (reading === null || first === null) return { alone: answer, needed }
  const hints = [
    ...new Set([
      ...taken.flatMap(({ slot: { into, path } }) => (into === 'header' ? [] : (path.at(-1) as string))),
      ...dialectNames(answer),
      ...question.query.map(([name]) => name),
      ...hintsIn(answer, reading.path),
    ]),
  ]
  return { walk: { question, asking, reading, first, hints, style: styleOf(answer.body), needed, seen: [] } }
}

/** What a GraphQL query cannot do without, and was not given. */
function requiredVariables(question: Question): Put[] {
  const given = new Set(filledSlots(question).flatMap(({ slot, value }) => (value === null ? [] : [slotKey(slot)])))
  return variablesOf(question)
    .filter((one) => one.isRequired && one.type === 'Int' && !given.has(slotKey(slotOf(one))))
    .map((one) => ({ slot: slotOf(one), value: firstValue(one.argument ?? one.name) }))
}

/** Where a page number must be sent, a page 0 with other records is the first one. */
async function firstOf(
  puts: readonly Put[],
  answer: Answer,
  asking: Asking,
  { question, stream, says }: { question: Question; stream: string; says: (answer: Answer) => string },
): Promise<{ readonly puts: readonly Put[]; readonly answer: Answer } | null> {
  const page = puts.find(({ slot, value }) => isSlotOf('page', slot) && String(value) === '1')
  const reading = answer.isJson ? readingOf(answer.body, stream) : null
  if (page === undefined || reading === null) return null
  const fromZero = puts.map((put) => (put === page ? { ...put, value: 0 } : put))
  const zero = await asking.ask('Is there a page before it?', requestOf(question, fromZero), says)
  const [one, other] = [shownIn(answer, reading), zero === null ? null : shownIn(zero, reading)]
  if (one === null || other === null || zero === null) return null
  return isNew(other.keys, one.keys) ? { puts: fromZero, answer: zero } : null
}

/** `page is required`: what a refusal names, with the values of a first page; where it names nothing, the most usual. */
function neededBy(answer: Answer, taken: readonly Put[], question: Question): readonly (readonly Put[])[] {
  const counting = taken.filter(({ value }) => digitsIn(String(value)) !== null)
  const starting = counting.map(({ slot }): Put => ({ slot, value: firstValue(slot.path.at(-1) ?? '') }))
  if (taken.length > 0) return starting.length > 0 ? [starting, taken] : [taken]
  const named = readRefusal(answer, []).offered
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

function refuseTrouble(answer: Answer): void {
  const { status, response, message } = answer
  if (status === null || response === null)
    throw new ConnectorError('detection/no-answer', message ?? 'No answer came.')
  if (status >= 200 && status < 300) {
    if (answer.isJson) return
    throw new ConnectorError('detection/not-json', `${answeredWith(response)} with ${whatCame(response)}.`)
  }
  const said = message === null ? '.' : `, and says: ${message}`
  if (status >= 300 && status < 400)
    throw new ConnectorError('detection/moved', `${answeredWith(response)}: it leads to ${placeIn(answer)}.`)
  if (status === 401 || status === 403)
    throw new ConnectorError('detection/unauthorized', answeredWith(response) + said)
  const hint = status === 429 || status === 503 ? { hint: 'Wait for as long as the API wants, then try again.' } : {}
  throw new ConnectorError('detection/refused', answeredWith(response) + said, hint)
}

/** GraphQL refuses with 200. */
function refuseErrors({ body }: Answer, question: Question): void {
  if (!isGraphql(question) || !isObject(body) || !isList(body.errors) || body.errors.length === 0) return
  if (isObject(body.data) && Object.values(body.data).some((value) => value !== null)) return
  const [first]: readonly unknown[] = body.errors
  const message = isObject(first) && typeof first.message === 'string' ? first.message : 'no reason is given'
  throw new ConnectorError('detection/refused', `The answer holds errors instead of data: ${message}`)
}

function whatCame({ headers, body }: HttpResponse): string {
  if (body.length === 0) return 'no body'
  return /html/i.test(headers['content-type'] ?? '') ? 'a page for people' : 'something that is not JSON'
}

function placeIn({ headers, url }: Answer): string {
  const { location = '' } = headers
  if (!isUrl(location, url)) return 'nowhere'
  const target = new URL(location, url)
  return target.origin + target.pathname
}

/** Names that the envelope and its links use: an API that says `per_page: 20` is mostly asked so. */
function hintsIn({ body, headers, url }: Answer, path: readonly string[]): string[] {
  const besides = leavesBeside(body, path).flatMap(({ path: at, value }) => {
    if (typeof value === 'number' || /^\d+$/.test(String(value))) return at.at(-1) ?? []
    return typeof value === 'string' ? namesIn(value, url) : []
  })
  const links = Object.values(linksOf(headers.link)).flatMap((link) => namesIn(link.url ?? '', url))
  return [...besides, ...links].filter((name) => name !== '')
}

function namesIn(text: string, url: string): string[] {
  if (!/^(https?:\/\/|\/|\?)\S*\?/.test(text) || !isUrl(text, url)) return []
  const target = new URL(text, url)
  return target.pathname === new URL(url).pathname ? [...target.searchParams.keys()] : []
}
