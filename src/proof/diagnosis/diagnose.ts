/** The text of a manifest → what is wrong with how a stream of it turns its pages, and the change that mends it. */
import { loadManifest } from '../../connector/load-manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import type { RunOptions } from '../../engine/run/run.ts'
import { openTokens } from '../../engine/run/tokens.ts'
import type { Probe } from '../probe.ts'
import { openCase } from './case.ts'
import { unreadableAnswer } from './causes/unreadable-answer.ts'
import { cappedSize } from './causes/capped-size.ts'
import { collision } from './causes/collision.ts'
import { countedEnd } from './causes/counted-end.ts'
import { firstRequest } from './causes/first-request.ts'
import { misspelt } from './causes/misspelt-cursor.ts'
import { mixedMethods } from './causes/mixed-methods.ts'
import { movedRows, repeatedPage, wrongTotal } from './causes/moving.ts'
import { lostList } from './causes/lost-list.ts'
import { notPaginated } from './causes/not-paginated.ts'
import { sideFindings } from './side-findings.ts'
import { otherLink } from './causes/other-link.ts'
import { overlap } from './causes/overlap.ts'
import { pastRecords } from './causes/past-records.ts'
import { pastEnd } from './causes/past-end.ts'
import { recordPath } from './causes/record-path.ts'
import { refusedEnd, refusedWithoutTotal } from './causes/refused-end.ts'
import { samePage } from './causes/same-page.ts'
import { secondRequest } from './causes/second-request.ts'
import { sharedCursor } from './causes/shared-cursor.ts'
import { startPage } from './causes/start-page.ts'
import { unreadCursor } from './causes/unread-cursor.ts'
import { wrongCursor } from './causes/wrong-cursor.ts'
import { wrongStop } from './causes/wrong-stop.ts'
import type { Diagnosis, Finding } from './diagnosis.ts'
import type { Cause } from './cause.ts'
import { findStreamPlace } from './manifest-place.ts'
import { openProbing } from './probing.ts'
import type { TrialTools } from './trial.ts'
import { readForDiagnosis } from './diagnostic-read.ts'
import type { PageSummary } from './page-summary.ts'

export type DiagnoseOptions = {
  /** May be left out where the manifest has only one. */
  readonly stream?: string | undefined
  readonly config?: Config
  /** Where classes of the connector's own are found. */
  readonly folder?: string | undefined
  /** One to share with other work; closed by whoever opened it. */
  readonly network?: Network | undefined
  /** Of the read that is looked at. */
  readonly maxPages?: number | undefined
  /** Requests beside the read, to try explanations. */
  readonly maxProbes?: number | undefined
  /** Pages of the re-test of a change that a few pages have shown: it is read to its end, or up to so many. */
  readonly maxRetest?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Told of every page of the read, and of every request beside it, as they come. */
  readonly onPage?: ((page: PageSummary) => void) | undefined
  readonly onProbe?: ((probe: Probe) => void) | undefined
  /** Given the config anew where a refresh token was used up on the way. */
  readonly onConfig?: RunOptions['onConfig']
  /** For tests: the clock and the wait between retries. */
  readonly now?: (() => number) | undefined
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
}

const usual = { maxPages: 20, maxProbes: 12, maxRetest: 100 }

/** Nobody waits longer than that for a diagnosis; an API that wants more is told about. */
const patienceMs = { read: 60_000, probe: 5_000 }

/** Of these the first that shows something ends the search: what others would see are its consequences. */
const causes: readonly Cause[] = [
  firstRequest,
  collision,
  refusedEnd,
  secondRequest,
  refusedWithoutTotal,
  unreadableAnswer,
  recordPath,
  lostList,
  misspelt,
  wrongStop,
  otherLink,
  unreadCursor,
  mixedMethods,
  cappedSize,
  startPage,
  samePage,
  overlap,
  pastEnd,
  repeatedPage,
  movedRows,
  notPaginated,
  sharedCursor,
  pastRecords,
  wrongCursor,
  countedEnd,
  wrongTotal,
]

/**
 * Reads some pages as the manifest says, and asks a few more where something is odd. Nothing is changed, neither at the
 * API nor in the text: each fix says what it would change, and what the changed manifest was seen to read.
 *
 * @example const { findings } = await diagnose(text, { stream: 'orders', config })
 */
export async function diagnose(text: string, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { folder, config = {}, stream, signal, now, sleep, onConfig } = options
  const { maxPages = usual.maxPages, maxProbes = usual.maxProbes, maxRetest = usual.maxRetest } = options
  const manifest = loadManifest(text, folder === undefined ? {} : { folder })
  const network = options.network ?? openNetwork()
  const tokens = openTokens()
  try {
    const settings = { stream, config, tokens, onConfig, signal, now, sleep }
    const read = await readForDiagnosis(manifest, {
      ...settings,
      network,
      maxPages,
      patienceMs: patienceMs.read,
      onPage(pages) {
        options.onPage?.(pages.at(-1) as PageSummary)
        return false
      },
    })
    const probing = openProbing(network, maxProbes, options.onProbe)
    const subject = openCase(read, findStreamPlace(text, read.plan.name))
    const tools: TrialTools = {
      text,
      folder,
      probing,
      settings: { ...settings, patienceMs: patienceMs.probe },
      retest: { network, maxPages: maxRetest },
    }
    const findings: Finding[] = []
    for (const examine of causes) {
      const finding = await examine(subject, tools)
      if (finding === null) continue
      findings.push(finding)
      break
    }
    findings.push(...sideFindings(read, findings))
    const { error, proof, isCut } = read
    return {
      stream: read.plan.name,
      proof,
      error: error && { code: error.code, message: error.message, hint: error.hint },
      isCut,
      findings,
      probes: probing.probes(),
    }
  } finally {
    await tokens.close()
    if (options.network === undefined) await network.close()
  }
}
