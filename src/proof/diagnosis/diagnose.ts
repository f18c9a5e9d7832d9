/** A manifest → what is wrong with the pagination of one of its streams, and the change that fixes it. */
import { loadInSteps } from '../../connector/load-manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import type { RunOptions } from '../../engine/run/run.ts'
import { openTokens } from '../../engine/run/tokens.ts'
import type { Probe } from '../probe.ts'
import { openCase } from './case.ts'
import { unreadableResponse } from './causes/unreadable-response.ts'
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
  /** Where custom classes are found. */
  readonly folder?: string | undefined
  /** A network to share; the caller closes it. */
  readonly network?: Network | undefined
  /** Pages of the diagnosed read. */
  readonly maxPages?: number | undefined
  /** Requests in addition to the read, to test hypotheses. */
  readonly maxProbes?: number | undefined
  /** Pages of the re-test of a change that a few pages have shown: it is read to its end, or up to so many. */
  readonly maxRetest?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called for every page of the read, and for every other request. */
  readonly onPage?: ((page: PageSummary) => void) | undefined
  readonly onProbe?: ((probe: Probe) => void) | undefined
  /** Called with the new config where a refresh token was replaced. */
  readonly onConfig?: RunOptions['onConfig']
  /** For tests: the clock and the wait between retries. */
  readonly now?: (() => number) | undefined
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
}

const usual = { maxPages: 20, maxProbes: 12, maxRetest: 100 }

/** The longest wait that an API may ask for; a longer one is reported instead. */
const patienceMs = { read: 60_000, probe: 5_000 }

/** In order: the first cause that is shown ends the search, because later ones would see its consequences. */
const causes: readonly Cause[] = [
  firstRequest,
  collision,
  refusedEnd,
  secondRequest,
  refusedWithoutTotal,
  unreadableResponse,
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
 * Reads some pages as the manifest says, and sends a few more requests where something is wrong. Nothing is changed, neither at the
 * API nor in the manifest: each fix says what it would change, and what the changed manifest reads.
 *
 * @example const { findings } = await diagnose(text, { stream: 'orders', config })
 */
export async function diagnose(text: string, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { folder, config = {}, stream, signal, now, sleep, onConfig } = options
  const { maxPages = usual.maxPages, maxProbes = usual.maxProbes, maxRetest = usual.maxRetest } = options
  const manifest = await loadInSteps(text, folder === undefined ? {} : { folder })
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
