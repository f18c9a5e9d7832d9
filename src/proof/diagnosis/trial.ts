/** A hypothesis → a trial: the changed manifest reads a few pages, which show whether the change is a fix. */
import { verdictName } from '../verdict/verdict-name.ts'
import { loadManifest, type LoadedManifest } from '../../connector/load-manifest.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Network } from '../../engine/response/send.ts'
import { ConnectorError } from '../../std/errors.ts'
import { count, number } from '../../std/text/format-count.ts'
import { applyEdits } from './apply-edits.ts'
import type { Case, Hypothesis } from './case.ts'
import type { Finding, Fix, ManifestEdit, Retest } from './diagnosis.ts'
import type { Probing } from './probing.ts'
import { repeatsIn } from './repeats.ts'
import { type DiagnosticRead, readForDiagnosis, type DiagnosticReadOptions } from './diagnostic-read.ts'
import { namedClaims } from './named-claims.ts'
import type { PageSummary } from './page-summary.ts'
import { followPath } from '../../std/values/get-at.ts'
import { listsInEnvelope } from './object-lists.ts'

/** Pages of a first trial: enough to see that pages follow each other, few enough for any API. */
const trialPages = 6

/** Requests kept for the re-test of a hypothesis that holds. */
const keptForRetest = 3

export type TrialTools = {
  readonly text: string
  readonly folder: string | undefined
  readonly probing: Probing
  readonly settings: Omit<DiagnosticReadOptions, 'network' | 'maxPages'>
  /** A change that a few pages have shown is read to the end, up to this many pages. */
  readonly retest: { readonly network: Network; readonly maxPages: number }
}

/** The finding of the first hypothesis that fixes the read, else of the first that improves it; null when none does. */
export async function tryInOrder(
  subject: Case,
  hypotheses: readonly Hypothesis[],
  tools: TrialTools,
): Promise<Finding | null> {
  let better: Finding | null = null
  for (const hypothesis of hypotheses) {
    if (tools.probing.left() <= 0) break
    if (hypothesis.firstTry !== undefined && tools.probing.left() <= keptForRetest) continue
    const tried = await tryOut(subject, hypothesis, tools)
    if (tried === null) continue
    const { code, fault = 'manifest', says, evidence, advice = '' } = hypothesis
    const finding: Finding = { code, fault, says, evidence, fix: tried, advice }
    if (tried.retest?.isFixed === true) return finding
    better ??= finding
  }
  return better
}

async function tryOut(subject: Case, hypothesis: Hypothesis, tools: TrialTools): Promise<Fix | null> {
  const { firstTry, shortRead, why, fix, orElse, isShownBy, from } = hypothesis
  const manifest = changed(tools, fix.edits)
  if (firstTry !== undefined) {
    const tried = manifest && (await readWith(subject, manifest, { why, from: firstTry, pages: 1 }, tools))
    if (tried === null || !bringsOnlyNew(subject, tried)) return null
  }
  if (shortRead !== undefined && shortRead > 0) {
    const pages = Math.min(shortRead, tools.probing.left())
    const tried = manifest && (await readWith(subject, manifest, { why, from, pages }, tools))
    if (tried === null || !(isShownBy ?? ((read: DiagnosticRead) => isBetter(subject, read)))(tried)) return null
  }
  const retest = await retestOf(subject, hypothesis, fix.edits, tools)
  if (retest !== null || orElse === undefined) return retest && { ...fix, retest }
  const both = [...fix.edits, ...orElse.edits]
  const again = await retestOf(subject, hypothesis, both, tools)
  return again && { says: `${fix.says} ${orElse.says}`, edits: both, retest: again }
}

/** What the changed manifest reads; null where that refutes the change. */
async function retestOf(
  subject: Case,
  hypothesis: Hypothesis,
  edits: readonly ManifestEdit[],
  tools: TrialTools,
): Promise<Retest | null> {
  const { why, from, isShownBy, shortRead, isPartial = false } = hypothesis
  const manifest = changed(tools, edits)
  const pages = Math.min(trialPages, tools.probing.left())
  if (manifest === null) return null
  // What a short read has shown needs no second trial.
  const short =
    shortRead === undefined && pages > 0 ? await readWith(subject, manifest, { why, from, pages }, tools) : null
  if (short === null && shortRead === undefined) return null
  const isShown = isShownBy ?? ((read: DiagnosticRead) => isBetter(subject, read))
  if (short !== null && !isShown(short)) return null
  const isWhole = short !== null && !short.isCut && from === undefined
  const after = isWhole ? short : await readToEnd(subject, manifest, tools)
  if (objectionTo(subject, after, { isPartial }) !== null) return null
  if (!isWhole && from === undefined && !isShown(after)) return null
  const isFixed = isPartial || after.isCut || after.proof?.verdict !== 'incomplete'
  return { isFixed, isMended: isFixed, proof: after.proof, says: describeRead(after) }
}

/** The whole slice, or as much of it as a re-test reads. */
async function readToEnd(
  { pages }: Case,
  manifest: LoadedManifest,
  { settings, retest }: TrialTools,
): Promise<DiagnosticRead> {
  const onPage = (read: readonly PageSummary[]) => endsTrial(read) || endlessTail(read)
  return readForDiagnosis(manifest, { ...settings, ...retest, ...sliceOf(pages), onPage })
}

type ProbeRead = { readonly why: string; readonly from?: PageToken | undefined; readonly pages: number }

/** Reads the slice in question, up to the first page that refutes the change. */
export async function readWith(
  { pages }: Case,
  manifest: LoadedManifest,
  { why, from, pages: maxPages }: ProbeRead,
  { probing, settings }: TrialTools,
): Promise<DiagnosticRead> {
  const read = await readForDiagnosis(manifest, {
    ...settings,
    network: probing.network,
    maxPages,
    ...(from !== undefined && { from }),
    ...sliceOf(pages),
    onPage: endsTrial,
  })
  probing.list(why, read)
  return read
}

/** The slice in question, where it is not the first one. */
function sliceOf([first]: Case['pages']): Pick<DiagnosticReadOptions, 'slice'> {
  return first !== undefined && first.sliceNumber > 1 ? { slice: first.slice } : {}
}

function endsTrial(read: readonly PageSummary[]): boolean {
  return read.at(-1)?.stop !== null || repeatsIn(read).repeated > 0
}

/** Null where the change makes no manifest that could be read. */
export function changed({ text, folder }: TrialTools, edits: readonly ManifestEdit[]): LoadedManifest | null {
  try {
    return loadManifest(applyEdits(text, edits), folder === undefined ? {} : { folder })
  } catch (error) {
    if (error instanceof ConnectorError) return null
    throw error
  }
}

/** Whether all records are new to the diagnosed read. */
export function bringsOnlyNew({ pages }: Pick<Case, 'pages'>, shortRead: DiagnosticRead): boolean {
  const known = new Set(pages.flatMap(({ prints }) => prints))
  const prints = shortRead.pages.flatMap((page) => page.prints)
  return shortRead.error === null && prints.length > 0 && prints.every((print) => !known.has(print))
}

/** For changes that are tried from the middle of the read: whether they bring new records. */
export function bringsSomeNew({ pages }: Pick<Case, 'pages'>, after: DiagnosticRead): boolean {
  const known = new Set(pages.flatMap(({ prints }) => prints))
  const prints = after.pages.flatMap((page) => page.prints)
  return after.error === null && repeatsIn(after.pages).repeated === 0 && prints.some((print) => !known.has(print))
}

/** For changes that are tried from the first page: at least one more page follows, with records of its own. */
export function continues({ pages }: Pick<Case, 'pages'>, after: DiagnosticRead): boolean {
  return after.pages.length > pages.length && bringsSomeNew({ pages }, after)
}

/** More records than before, or as many without an error or a repetition; none twice. */
function isBetter({ pages, read }: Pick<Case, 'pages' | 'read'>, after: DiagnosticRead): boolean {
  const now = repeatsIn(after.pages)
  if (after.error !== null || now.repeated > 0) return false
  const before = repeatsIn(after.isCut ? pages.slice(0, after.pages.length) : pages)
  if (now.distinct > before.distinct) return true
  const wasWrong = read.error !== null || before.repeated > 0
  return wasWrong && now.distinct > 0 && now.distinct >= before.distinct
}

/** `250 records in 3 pages, complete` */
function describeRead({ pages, isCut, proof, error }: DiagnosticRead): string {
  const received = pages.reduce((sum: number, page: PageSummary) => sum + page.received, 0)
  const read = `${count(received, 'record')} in ${count(pages.length, 'page')}`
  if (error !== null) return `${read}, then an error: ${error.message}`
  const { repeated } = repeatsIn(pages)
  if (repeated > 0) return `${read}, ${number(repeated)} of them duplicates`
  if (isCut) return `${read}, each with new records; tested only up to page ${number(pages.length)}`
  return proof === null
    ? read
    : `${read}, ${verdictName(proof.verdict)}${proof.verdict === 'complete' ? '' : `: ${proof.reason}`}`
}

/** `isPartial`: records are found elsewhere now, so they may be others than before. */
function objectionTo(
  subject: Case,
  after: DiagnosticRead,
  { isPartial }: { readonly isPartial: boolean },
): string | null {
  if (after.error !== null && !isPartial) return after.error.message
  const { repeated, distinct } = repeatsIn(after.pages)
  if (repeated > 0 && !isPartial) return 'records are received twice'
  if (distinct < repeatsIn(subject.pages).distinct && !after.isCut && !isPartial)
    return 'fewer records are read than before'
  if (after.isCut && endlessTail(after.pages)) return 'its pages become empty and do not end'
  const counted = totalOf(subject, after)
  if (counted !== null && receivedIn(after.pages) > counted) return `the API counts ${counted} records`
  const before = isPartial ? [] : subject.pages
  const odd = oddShape(before, after)
  return odd === null ? null : `page ${odd.number} has records of another kind`
}

/** Empty pages in a row that show that a read has passed its end. */
const mostEmpty = 10

function endlessTail(pages: readonly PageSummary[]): boolean {
  return pages.length > mostEmpty && pages.slice(-mostEmpty).every(({ received }) => received === 0)
}

function receivedIn(pages: readonly PageSummary[]): number {
  return pages.reduce((sum, { received }) => sum + received, 0)
}

/** Null where the API reports no total, or one that cannot be compared: several slices, or fewer than were received before. */
function totalOf({ pages, read, receipt }: Case, after: DiagnosticRead): number | null {
  if (read.rules.isSliced) return null
  const claimed = after.receipts[0]?.claimed.total ?? receipt?.claimed.total ?? null
  const named = () =>
    pages[0] &&
    namedClaims(pages[0], after.rules.recordPath).numbers.find((one) => one.counts === 'records' && one.isNamed)
  const total = claimed?.value ?? named()?.value ?? null
  return total === null || receivedIn(pages) > total ? null : total
}

/** The share of known field names that a record of the same kind has at least. */
const leastShared = 1 / 3

/** The first page with a record that is an envelope, or that has hardly a name in common with the others. */
function oddShape(before: readonly PageSummary[], after: DiagnosticRead): PageSummary | null {
  const [first] = after.pages.filter(({ received }) => received > 0)
  const filled = before.filter(({ received }) => received > 0)
  const known = new Set(
    (filled.length > 0 ? filled : first === undefined ? [] : [first]).flatMap(({ shapes }) => shapes.flat()),
  )
  const isOdd = ({ shapes }: PageSummary) =>
    shapes.some(
      (names) => names.length > 0 && names.filter((name) => known.has(name)).length < names.length * leastShared,
    )
  return after.pages.find((page) => isOdd(page) || isEnvelope(page, after)) ?? null
}

function isEnvelope({ received, response }: PageSummary, { rules }: DiagnosticRead): boolean {
  if (received !== 1 || response === null || rules.recordPath === null) return false
  return listsInEnvelope(followPath(response.body, rules.recordPath)).length > 0
}

/** Null when no request is left. */
export async function requestOnce(
  subject: Case,
  tools: TrialTools,
  why: string,
  from: PageToken | null,
): Promise<DiagnosticRead | null> {
  if (tools.probing.left() <= 0) return null
  const manifest = loadManifest(tools.text, tools.folder === undefined ? {} : { folder: tools.folder })
  return readWith(subject, manifest, { why, pages: 1, ...(from !== null && { from }) }, tools)
}

/** The page token after this page, for a method that counts; null for others. */
export function tokenAfter({ pagination }: Pick<Case, 'pagination'>, page: PageSummary): PageToken | null {
  switch (pagination.kind) {
    case 'offset': {
      const step = page.received > 0 ? page.received : pagination.pageSize
      return typeof step === 'number' ? { value: Number(page.token?.value ?? 0) + step } : null
    }
    case 'page':
      return { value: Number(page.token?.value ?? pagination.firstPage) + 1 }
    default:
      return null
  }
}
