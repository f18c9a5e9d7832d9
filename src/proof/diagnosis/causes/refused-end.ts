/** All records were received, and the page after the last one is refused: the read fails at its end. */
import { count } from '../../../std/text/format-count.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence, Finding } from '../diagnosis.ts'
import { type EndFilter, endFilters, missingPage, speaksOfLimit } from '../../end-filter.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import type { ManifestPlace } from '../manifest-place.ts'
import { tryInOrder } from '../trial.ts'
import type { DiagnosticRead } from '../diagnostic-read.ts'
import { refusals } from './first-request.ts'

export const refusedEnd: Cause = async (subject, tools) => {
  const { read, pages, pagination, repeats, place } = subject
  const status = read.refused?.status ?? 0
  const last = pages.at(-1)
  const isCounted = pagination.kind === 'offset' || pagination.kind === 'page'
  if (!isCounted || last === undefined || !refusals.includes(status)) return null
  // Only a count shows that nothing was left: a refusal may also be a fault in the middle.
  const total = last.found.numbers.find(({ counts, isNamed }) => isNamed && counts === 'records')
  const pageTotal = last.found.numbers.find(({ counts }) => counts === 'pages')
  const isAll = total === undefined ? pageTotal?.value === pages.length : total.value === repeats.distinct
  if (!isAll) return null
  const says = `All records were there after page ${pages.length}; the API refuses the page after it with ${status}.`
  const evidence = [
    seen(`With page ${last.number} all ${count(repeats.distinct, 'record')} were there.`, last),
    { says: read.error?.message ?? '', pages: [pages.length + 1] },
  ]
  const hypotheses = place === null ? [] : ignoring(subject, place, { says, evidence })
  return await tried(subject, hypotheses, tools, { says, evidence, advice: neverByStatus(status) })
}

/** Without a count only the words of the refusal show that it is the end: examined once the request itself was not to blame. */
export const refusedWithoutTotal: Cause = async (subject, tools) => {
  const { read, pages, pagination, place } = subject
  const status = read.refused?.status ?? 0
  const last = pages.at(-1)
  const isCounted = pagination.kind === 'offset' || pagination.kind === 'page'
  if (!isCounted || last === undefined || !refusals.includes(status)) return null
  const { numbers, nexts } = last.found
  const isCountedByApi = numbers.some(({ counts, isNamed }) => isNamed || counts === 'pages')
  // A page that says that another one follows is not the last: something else was refused.
  if (isCountedByApi || nexts.some((one) => one.says === 'more')) return null
  const words = wordsIn(read.error?.message)
  const isLimit = words !== null && speaksOfLimit(words)
  const isEnd = !isLimit && filtersOf(read).length > 0
  if (!isEnd && pages.length === 1) return null
  const says = isEnd
    ? `The API refuses the page after page ${pages.length} with ${status}, and says that there is no such page: the read fails at its end.`
    : `The API refuses the page after page ${pages.length} with ${status}, and reports no total: ${isLimit ? 'it does not allow reading further' : 'this may be the end, or a fault'}.`
  const evidence = [
    seen(`Up to page ${last.number}, ${count(subject.repeats.distinct, 'record')} came; each page was full.`, last),
    { says: read.error?.message ?? '', pages: [pages.length + 1] },
  ]
  const hypotheses = place === null || !isEnd ? [] : ignoring(subject, place, { says, evidence })
  const advice = isLimit
    ? 'Read smaller parts, for example by date, so that no part reaches the limit.'
    : neverByStatus(status)
  return await tried(subject, hypotheses, tools, { says, evidence, advice })
}

/** What a filter reads to the end, or the finding without a fix. */
async function tried(
  subject: Case,
  hypotheses: readonly Hypothesis[],
  tools: Parameters<Cause>[1],
  { says, evidence, advice }: Said & { readonly advice: string },
): Promise<Finding> {
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  const advised = `${subject.whyNot} ${advice}`.trim()
  return withoutFix({ code: 'never-stops/stop-condition', fault: 'api', says, evidence, advice: advised })
}

function neverByStatus(status: number): string {
  return `Follow what the API names as the next page, if it names one, or ignore this response by words that no other refusal has. Never ignore the status ${status} alone: the next wrong request would look like an empty stream.`
}

/** What the API says in its refusal; null where it says nothing. */
function wordsIn(message = ''): string | null {
  return /, and says: (.*)$/s.exec(message)?.[1]?.replace(/\.$/, '') ?? null
}

/** By the message, else by a code next to it. */
function filtersOf({ error, refused }: DiagnosticRead): EndFilter[] {
  const words = wordsIn(error?.message)
  const { isJson = false, codes = [] } = refused?.refusal ?? {}
  const alsoEnd = refused?.status === 404 && isJson ? missingPage : undefined
  const byMessage = words === null ? [] : endFilters(words, alsoEnd)
  return byMessage.length > 0
    ? byMessage
    : codes.flatMap((code) => endFilters(code).filter((filter) => 'predicate' in filter))
}

const longRead = 4

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

/** By the words of the refusal, never by its status alone. */
function ignoring({ read, pages }: Case, place: ManifestPlace, { says, evidence }: Said): Hypothesis[] {
  const handler = place.at([...place.requester, 'error_handler'])
  if (handler !== undefined) return []
  // A long read is not read again for its end, until the re-test.
  const from = pages.length > longRead ? (pages.at(-1)?.token ?? null) : null
  return filtersOf(read).map((known) => ({
    code: 'never-stops/stop-condition',
    fault: 'api',
    why: 'whether these words of the API are its end',
    says,
    evidence,
    fix: {
      says: `Treat this refusal as the end, recognised by its words: ${wordsOf(known)}.`,
      edits: [
        {
          path: [...place.requester, 'error_handler'],
          value: {
            type: 'DefaultErrorHandler',
            response_filters: [{ type: 'HttpResponseFilter', action: 'IGNORE', ...known }],
          },
        },
      ],
    },
    ...(from !== null && { from }),
    isShownBy: (after) => after.error === null && !after.isCut,
  }))
}

function wordsOf(filter: EndFilter): string {
  return 'predicate' in filter ? `\`${filter.predicate}\`` : `"${filter.error_message_contains}"`
}
