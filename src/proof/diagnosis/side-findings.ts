/** What slows or redirects a read without ending it: reported in addition to other findings. */
import { originOf } from '../../std/text/is-url.ts'
import type { Finding } from './diagnosis.ts'
import { seen, withoutFix } from './cause.ts'
import { count } from '../../std/text/format-count.ts'
import type { DiagnosticRead } from './diagnostic-read.ts'
import type { PageSummary } from './page-summary.ts'

/** A response that takes longer than this is slow for a page. */
const slowMs = 10_000

/** `found`: the findings so far. A read that does not stop is not reported twice. */
export function sideFindings(read: DiagnosticRead, found: readonly Finding[]): Finding[] {
  const isReported = found.some(({ code }) => code.startsWith('never-stops/'))
  const empty = isReported ? null : emptyPages(read)
  return [rateLimited(read), foreignLink(read), slow(read), empty].filter((finding) => finding !== null)
}

/** Empty pages in a row of one slice that are worth reporting. */
const manyEmpty = 10

function emptyPages({ pages, isCut }: DiagnosticRead): Finding | null {
  const runs: PageSummary[][] = []
  for (const page of pages) {
    const run = runs.at(-1)
    const isNext = run?.at(-1)?.number === page.number - 1 && run[0]?.sliceNumber === page.sliceNumber
    if (page.received > 0) continue
    if (isNext) run?.push(page)
    else runs.push([page])
  }
  const longest = runs.toSorted((one, other) => other.length - one.length)[0] ?? []
  const [first, last] = [longest[0], longest.at(-1)]
  if (longest.length < manyEmpty || first === undefined || last === undefined) return null
  const isLast = isCut && last === pages.at(-1)
  return withoutFix({
    code: 'api/empty-pages',
    fault: 'api',
    says: `${count(longest.length, 'page')} in a row are empty${isLast ? ', and the read does not get further' : ''}.`,
    evidence: [seen(`Pages ${first.number} to ${last.number} are empty.`, ...longest)],
    advice:
      'Some APIs scan their data part by part, and a part may have no record that fits: narrow the request. If nothing follows, the stop condition is wrong: a read is ended after 1,000 empty pages in a row.',
  })
}

function rateLimited({ notices, tooLongMs, error, asked, pages }: DiagnosticRead): Finding | null {
  const waits = notices.filter((notice) => notice.kind === 'retry' && notice.isRateLimited === true)
  const refused = asked.filter(({ status }) => status === 429)
  if (refused.length === 0) return null
  const waitMs = tooLongMs ?? waits.reduce((sum, notice) => sum + (notice.kind === 'retry' ? notice.waitMs : 0), 0)
  const seconds = Math.ceil(waitMs / 1000)
  const ends = error !== null && tooLongMs !== null
  const numbers = [...new Set(refused.map(({ page }) => page))]
  const pagesAsked = `page${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}`
  return withoutFix({
    code: 'api/rate-limited',
    fault: 'api',
    says: ends
      ? `The API asks to wait ${count(seconds, 'second')}, longer than a diagnosis waits.`
      : `The API asked ${count(refused.length, 'time')} to wait, ${count(seconds, 'second')} in all.`,
    evidence: [{ says: `It answered 429 to the request for ${pagesAsked}.`, pages: numbers }],
    advice: `Reads wait and resume by themselves${pages.length === 0 ? '; try again later' : ''}. Set the limit in \`api_budget\`, so that it is never reached.`,
  })
}

function foreignLink({ notices, pages }: DiagnosticRead): Finding | null {
  const notice = notices.find(({ kind }) => kind === 'foreign-origin')
  if (notice?.kind !== 'foreign-origin') return null
  const { dropped } = notice
  const [from, to] = [originOf(notice.from), originOf(notice.to)]
  const there = pages.filter(({ request }) => request.url.startsWith(to))
  return withoutFix({
    code: 'api/foreign-link',
    fault: 'api',
    says: `A link of the API leads from ${from} to ${to}, where the credentials of the stream are not sent.`,
    evidence: [
      seen(
        dropped.length === 0 ? `${to} was requested without credentials.` : `Left out there: ${dropped.join(', ')}.`,
        ...there,
      ),
    ],
    advice: 'If you trust that host, add it to the trusted origins; otherwise report it to the API’s owner.',
  })
}

function slow({ pages }: DiagnosticRead): Finding | null {
  const slowest = pages.filter(({ tookMs }) => tookMs >= slowMs)
  const [first] = slowest
  if (first === undefined) return null
  const most = Math.max(...slowest.map(({ tookMs }) => tookMs))
  return withoutFix({
    code: 'api/slow',
    fault: 'api',
    says: `${count(slowest.length, 'page')} took longer than ${slowMs / 1000} seconds, the slowest ${Math.round(most / 1000)}.`,
    evidence: [seen(`Page ${first.number} took ${Math.round(first.tookMs / 1000)} seconds.`, ...slowest)],
    advice: 'Request smaller pages, or read more slices in parallel (--concurrency).',
  })
}
