/** A hypothesis → the changed manifest, read for a few pages: whether it mends what is wrong, and what it reads now. */
import { loadManifest, type LoadedManifest } from '../../connector/load-manifest.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Network } from '../../engine/response/send.ts'
import { ConnectorError } from '../../std/errors.ts'
import { count, number } from '../../std/text/format-count.ts'
import { applyEdits } from './apply-edits.ts'
import type { Case, Hypothesis } from './case.ts'
import type { Finding, Fix, ManifestEdit, Retest } from './diagnosis.ts'
import type { Probing } from './probing.ts'
import { endlessTail, objectionTo } from './objection.ts'
import { repeatsIn } from './repeats.ts'
import { type Walk, walkStream, type Walking } from './walk.ts'
import type { WalkedPage } from './walked-page.ts'

/** Pages of a first trial: enough to see that one follows the other, few enough for any API. */
const trialPages = 6

/** Kept for the re-test of what turns out to be right. */
const keptForRetest = 3

export type TrialTools = {
  readonly text: string
  readonly folder: string | undefined
  readonly probing: Probing
  readonly walking: Omit<Walking, 'network' | 'maxPages'>
  /** What is shown in a few pages is read to its end, up to so many pages. */
  readonly retest: { readonly network: Network; readonly maxPages: number }
}

/** The finding of the first hypothesis that mends it, else of the first that makes it better; null when none does. */
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
    if (tried.retest?.isMended === true) return finding
    better ??= finding
  }
  return better
}

async function tryOut(subject: Case, hypothesis: Hypothesis, tools: TrialTools): Promise<Fix | null> {
  const { firstTry, glance, why, fix, orElse, isShownBy, from } = hypothesis
  const manifest = changed(tools, fix.edits)
  if (firstTry !== undefined) {
    const tried = manifest && (await readWith(subject, manifest, { why, from: firstTry, pages: 1 }, tools))
    if (tried === null || !bringsNew(subject, tried)) return null
  }
  if (glance !== undefined && glance > 0) {
    const pages = Math.min(glance, tools.probing.left())
    const tried = manifest && (await readWith(subject, manifest, { why, from, pages }, tools))
    if (tried === null || !(isShownBy ?? ((walk: Walk) => isBetter(subject, walk)))(tried)) return null
  }
  const retest = await retestOf(subject, hypothesis, fix.edits, tools)
  if (retest !== null || orElse === undefined) return retest && { ...fix, retest }
  const both = [...fix.edits, ...orElse.edits]
  const again = await retestOf(subject, hypothesis, both, tools)
  return again && { says: `${fix.says} ${orElse.says}`, edits: both, retest: again }
}

/** What the changed manifest reads; null where that speaks against it. */
async function retestOf(
  subject: Case,
  hypothesis: Hypothesis,
  edits: readonly ManifestEdit[],
  tools: TrialTools,
): Promise<Retest | null> {
  const { why, from, isShownBy, glance, isPartial = false } = hypothesis
  const manifest = changed(tools, edits)
  const pages = Math.min(trialPages, tools.probing.left())
  if (manifest === null) return null
  // What a glance has shown needs no second trial.
  const short =
    glance === undefined && pages > 0 ? await readWith(subject, manifest, { why, from, pages }, tools) : null
  if (short === null && glance === undefined) return null
  const isShown = isShownBy ?? ((walk: Walk) => isBetter(subject, walk))
  if (short !== null && !isShown(short)) return null
  const isWhole = short !== null && !short.isCut && from === undefined
  const after = isWhole ? short : await readToEnd(subject, manifest, tools)
  if (objectionTo(subject, after, { isPartial }) !== null) return null
  if (!isWhole && from === undefined && !isShown(after)) return null
  const isMended = isPartial || after.isCut || after.proof?.verdict !== 'incomplete'
  return { isMended, proof: after.proof, says: sayWalk(after) }
}

/** The whole slice, or as much of it as a re-test reads. */
async function readToEnd({ pages }: Case, manifest: LoadedManifest, { walking, retest }: TrialTools): Promise<Walk> {
  const onPage = (read: readonly WalkedPage[]) => endsTrial(read) || endlessTail(read)
  return walkStream(manifest, { ...walking, ...retest, ...sliceOf(pages), onPage })
}

type Look = { readonly why: string; readonly from?: PageToken | undefined; readonly pages: number }

/** Reads the slice in question, and no further than the first page that speaks against it. */
export async function readWith(
  { pages }: Case,
  manifest: LoadedManifest,
  { why, from, pages: maxPages }: Look,
  { probing, walking }: TrialTools,
): Promise<Walk> {
  const walk = await walkStream(manifest, {
    ...walking,
    network: probing.network,
    maxPages,
    ...(from !== undefined && { from }),
    ...sliceOf(pages),
    onPage: endsTrial,
  })
  probing.list(why, walk)
  return walk
}

/** The slice in question, where it is not the first one. */
function sliceOf([first]: Case['pages']): Pick<Walking, 'slice'> {
  return first !== undefined && first.sliceNumber > 1 ? { slice: first.slice } : {}
}

function endsTrial(read: readonly WalkedPage[]): boolean {
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

/** Records that the walk did not have, and none that it had. */
export function bringsNew({ pages }: Pick<Case, 'pages'>, glance: Walk): boolean {
  const known = new Set(pages.flatMap(({ prints }) => prints))
  const prints = glance.pages.flatMap((page) => page.prints)
  return glance.error === null && prints.length > 0 && prints.every((print) => !known.has(print))
}

/** For changes that are tried from the middle of the walk: they bring what it did not have. */
export function goesOn({ pages }: Pick<Case, 'pages'>, after: Walk): boolean {
  const known = new Set(pages.flatMap(({ prints }) => prints))
  const prints = after.pages.flatMap((page) => page.prints)
  return after.error === null && repeatsIn(after.pages).repeated === 0 && prints.some((print) => !known.has(print))
}

/** For changes that are tried from the first page: at least one more page follows, with records of its own. */
export function continues({ pages }: Pick<Case, 'pages'>, after: Walk): boolean {
  return after.pages.length > pages.length && goesOn({ pages }, after)
}

/** More records than before, or as many without an error or a repetition; none twice. */
function isBetter({ pages, walk }: Pick<Case, 'pages' | 'walk'>, after: Walk): boolean {
  const now = repeatsIn(after.pages)
  if (after.error !== null || now.repeated > 0) return false
  const before = repeatsIn(after.isCut ? pages.slice(0, after.pages.length) : pages)
  if (now.distinct > before.distinct) return true
  const wasWrong = walk.error !== null || before.repeated > 0
  return wasWrong && now.distinct > 0 && now.distinct >= before.distinct
}

/** `250 records in 3 pages, complete` */
function sayWalk({ pages, isCut, proof, error }: Walk): string {
  const received = pages.reduce((sum: number, page: WalkedPage) => sum + page.received, 0)
  const read = `${count(received, 'record')} in ${count(pages.length, 'page')}`
  if (error !== null) return `${read}, then an error: ${error.message}`
  const { repeated } = repeatsIn(pages)
  if (repeated > 0) return `${read}, ${number(repeated)} of them again`
  if (isCut) return `${read}, each with new records; tested only up to page ${number(pages.length)}`
  return proof === null ? read : `${read}, ${proof.verdict}${proof.verdict === 'complete' ? '' : `: ${proof.reason}`}`
}
