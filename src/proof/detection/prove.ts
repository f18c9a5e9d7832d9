/** What explains the probes → a manifest that was read with; or why none is given. */
import { ConnectorError } from '../../std/errors.ts'
import type { Candidate } from './detection.ts'
import type { Explanation } from './explain.ts'
import type { GivenInput } from './given-input.ts'
import { manifestFor } from './candidate-manifest.ts'
import { endsByAbsence, stoppingAtEmpty, stoppingAtShort, untilEmpty, variantsOf } from './variants.ts'
import { type Reread, reread, type RereadTools, type Expected } from './reread.ts'
import { sameOrigin } from '../../engine/request/url.ts'
import { digitsIn } from '../claims/link-query.ts'
import { isNameOf } from '../names/paging-names.ts'
import type { ProbeSender } from './probe-sender.ts'
import { requestTo, type BaseRequest, withoutQuery } from './probe-request.ts'
import { pageIn } from './probed-pages.ts'
import { isSamePointer, type Pointer, pointerName, pointersIn } from './pointers.ts'
import { sayResponse } from './detection-session.ts'
import { namedTotals, claimsOf } from './first-page-claims.ts'

type Proven = Explanation & { readonly manifest: string | null }

/** A manifest is returned only where the engine reads with it what the probes showed. */
export async function prove(
  { open, redactor, question }: GivenInput,
  explanation: Explanation,
  tools: Omit<RereadTools, 'config'>,
): Promise<Proven> {
  const [candidate] = explanation.candidates
  if (explanation.answer === 'cannot-tell' || candidate === undefined) return { ...explanation, manifest: null }
  const { records, endRule, expected } = explanation
  const config = { ...open.values, ...open.placeholders }
  const textFor = (one: Candidate) =>
    manifestFor({ open, candidate: one, layout: expected.layout, records, endRule, needed: expected.needed })
  let failed: Extract<Reread, { says: string }> | null = null
  const end =
    endsByAbsence(candidate) && candidate.facts.token === null
      ? await findLinkEnd(question, candidate, expected, tools.sender)
      : 'unknown'
  const variants = variantsOf(candidate, expected)
  for (let variant = variants.shift(); variant !== undefined; variant = variants.shift()) {
    const manifest = textFor(variant)
    const tried = await reread(
      manifest,
      expected,
      { ...tools, config },
      endsByAbsence(variant) && end !== 'ends',
    ).catch((error: unknown) => {
      throw error instanceof ConnectorError ? redactor.error(error) : error
    })
    switch (tried.kind) {
      case 'fits':
        return { ...explanation, ...withProof(explanation, variant, tried, end), manifest }
      case 'unfinished':
        return failed === null ? unfinished(explanation, candidate) : refuted(explanation, candidate, failed)
      case 'early':
        // Another page size would end early too, only later, where this check would not see it.
        variants.splice(0, variants.length, ...untilEmpty(variant))
        failed ??= tried
        break
      case 'endless':
        variants.splice(0, variants.length, ...stoppingAtEmpty(variant))
        failed ??= tried
        break
      case 'loops':
        variants.splice(0, variants.length, ...endingBefore(variant, tried))
        failed ??= tried
        break
      case 'differs':
        failed ??= tried
    }
  }
  return failed === null ? { ...explanation, manifest: null } : refuted(explanation, candidate, failed)
}

/** A last page that is as full as the others cannot be recognised. */
function endingBefore(variant: Candidate, { last, full }: Extract<Reread, { kind: 'loops' }>): Candidate[] {
  if (last === 0) return stoppingAtEmpty(variant)
  return last < full ? stoppingAtShort(variant, full) : []
}

function withProof(
  { answer, says }: Explanation,
  candidate: Candidate,
  { says: proof, isOpen }: Extract<Reread, { kind: 'fits' }>,
  end: LinkEnd,
): Pick<Explanation, 'says' | 'candidates'> {
  const evidence = [...candidate.evidence, ...sayEnd[end], proof]
  return {
    says: answer === 'paginated' ? `${candidate.says}.` : says,
    candidates: [{ ...candidate, evidence, ...(isOpen && { confidence: 'likely' }) }],
  }
}

const sayEnd: Readonly<Record<LinkEnd, readonly string[]>> = {
  ends: ['at the end no next page is named'],
  'names-another': ['at the end a next page is named as well: a read may not end there'],
  unknown: [],
}

function unfinished(explanation: Explanation, candidate: Candidate): Proven {
  const says = `Most likely: ${candidate.says}. No request was left to check this by a read: allow more of them.`
  return undecided(explanation, { ...candidate, confidence: 'likely' }, says)
}

function refuted(explanation: Explanation, candidate: Candidate, { says }: { readonly says: string }): Proven {
  const sentence = `Not confirmed: ${candidate.says}. In a read with such a manifest, ${says.replace(/\.$/, '')}.`
  return undecided(explanation, { ...candidate, confidence: 'possible' }, sentence)
}

function undecided(explanation: Explanation, candidate: Candidate, says: string): Proven {
  return { ...explanation, answer: 'cannot-tell', says, candidates: [candidate], manifest: null }
}

/** A link to the next page that counts → the last page, requested at once, and whether it names no next page. */
type LinkEnd = 'ends' | 'names-another' | 'unknown'

/** More than small APIs hold, and within what most let one skip. */
const far = 9_000

async function findLinkEnd(
  question: BaseRequest,
  { facts, firstOnly = [] }: Candidate,
  { first, layout, needed }: Expected,
  sender: ProbeSender,
): Promise<LinkEnd> {
  const { response, keys } = first
  const linksIn = (one: typeof response) => pointersIn(one.body, one.headers, layout.path, one.url)
  const pointer = linksIn(response).find((one) => one.value !== null && pointerName(one) === facts.cursorAt)
  // Where a total has a vague name, the page it leads to shows whether it is one.
  const [
    total = claimsOf(first, layout).numbers.find((one) => one.counts === 'records' && one.value > keys.length)?.value,
  ] = namedTotals(first, layout)
  const url = pointer === undefined ? null : lastUrl(pointer, keys.length, total ?? null)
  if (pointer === undefined || url === null || sender.left() < keptForReread || !sameOrigin(question.address, url))
    return 'unknown'
  const last = await sender.ask(
    'Does the last page name no next page?',
    requestTo(url, withoutQuery(question, firstOnly), false, needed),
    (one) => sayResponse(one, layout, first),
  )
  const page = last === null ? null : pageIn(last, layout)
  if (last === null || page === null) return 'unknown'
  const again = linksIn(last).some((one) => one.value !== null && isSamePointer(one, pointer))
  if (!again) return 'ends'
  // Without a total, only a page without records is known to be past the last one.
  return namedTotals(first, layout).length > 0 || page.keys.length === 0 ? 'names-another' : 'unknown'
}

/** Two pages are read with the manifest. */
const keptForReread = 2

/** Null where the link does not count. */
function lastUrl({ value }: Pointer, size: number, total: number | null): string | null {
  const url = new URL(String(value))
  const counting = [...url.searchParams].filter(([name, text]) => isCounting(name, text, size))
  const [only] = counting
  if (counting.length !== 1 || only === undefined || size === 0) return null
  const [name, text] = only
  const pages = Math.ceil((total ?? far) / size)
  const second = Number(text)
  url.searchParams.set(name, String(isNameOf('offset', name) ? (pages - 1) * size : second + pages - 2))
  return url.href
}

/** The number of the second page, or as many records as the first one has. */
function isCounting(name: string, text: string, size: number): boolean {
  const value = digitsIn(text)
  if (isNameOf('offset', name)) return value === size
  return isNameOf('page', name) && (value === 1 || value === 2)
}
