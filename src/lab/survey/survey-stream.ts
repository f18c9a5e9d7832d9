/** One stream × every fault: read once without, to know what there is, and once with each. */
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import type { ResolvedStream } from '../../engine/streams/resolve-streams.ts'
import type { Fault, Trait } from '../faults/fault.ts'
import { movingClock } from '../mirror/calendar.ts'
import { asComponent } from '../mirror/find-components.ts'
import { answerOf, type Endpoint } from '../mirror/endpoint.ts'
import { endpointsOf } from '../mirror/endpoints.ts'
import { listEndpoint } from '../mirror/list-endpoint.ts'
import { isCounted, isKeyed, type Paging, pagingOf } from '../mirror/paging.ts'
import type { AnsweringServer } from '../mirror/server.ts'
import { diagnose } from '../../proof/diagnosis/diagnose.ts'
import { ConnectorError } from '../../std/errors.ts'
import { number } from '../../std/text/format-count.ts'
import { retrieverOf, type Skipped, type SurveyResult } from './result.ts'
import { faultyList, type Misbehaviour } from './faulty-list.ts'
import { type JudgedRead, judgeRead, whyUnfit } from './judge.ts'
import { type SurveyRead, readFirstSlice, type ReadResult } from './read-first-slice.ts'

export type Task = ResolvedStream & {
  readonly server: AnsweringServer
  readonly text: string
  readonly manifest: LoadedManifest
  readonly config: Config
  /** What is asked before the stream is known. */
  readonly before: readonly Endpoint[]
  readonly faults: readonly Fault[]
  readonly signal: AbortSignal
}

/** A read has three such pages, and there are some forty reads. */
const largestPage = 10_000

/** Each result as it comes; or why there can be none. */
export async function* surveyStream(task: Task): AsyncGenerator<SurveyResult | Skipped> {
  const { name, stream, config, faults } = task
  const retriever = retrieverOf(stream)
  if (asComponent(retriever?.requester) === null || retriever === null) {
    yield { stream: name, why: 'does not ask for pages by itself' }
    return
  }
  const paging = pagingOf(retriever, config)
  if (paging.size !== null && paging.size > largestPage) {
    yield {
      stream: name,
      why: `asks for ${number(paging.size)} records a page, and ${number(largestPage)} are tried at most`,
    }
    return
  }
  const { read: healthy, shortfall } = await readUnder(task, { fault: null, isCounting: false })
  const why = shortfall ?? whyUnfit(healthy, paging.hasPageToken)
  if (why !== null) {
    yield { stream: name, why }
    return
  }
  const traits = traitsOf(paging)
  for (const fault of faults) {
    const mismatch = whyNot(fault, traits, paging.size !== null)
    const isCounting = needsTotal(fault, traits)
    yield mismatch === null
      ? await surveyFault(task, { fault, isCounting }, healthy.came)
      : notApplying(task, fault, mismatch)
  }
}

async function surveyFault(
  task: Task,
  how: Misbehaviour & { readonly fault: Fault },
  expected: readonly string[],
): Promise<SurveyResult> {
  const { read, shortfall } = await readUnder(task, how)
  if (shortfall !== null) return notApplying(task, how.fault, shortfall)
  const judged = judgeRead(read, expected)
  const fix = judged.outcome === 'survives' ? null : await fixOf(task.text, surveyReadUnder(task, how))
  const isOpen = judged.outcome === 'misses' && !how.isCounting && !read.isEndless
  const counted = isOpen ? judgeRead((await readUnder(task, { ...how, isCounting: true })).read, expected) : null
  const { error, verdict, requests } = read
  return {
    stream: task.name,
    fault: how.fault.name,
    does: how.fault.says,
    ...judged,
    says: [
      judged.says,
      ...(counted === null ? [] : [countedSentence(counted)]),
      ...(fix === null ? [] : [fixSentence(fix)]),
    ].join(' '),
    requests,
    verdict,
    error: error && { code: error.code, message: error.message, hint: error.hint },
    ifCounted: counted?.outcome ?? null,
  }
}

function countedSentence({ outcome }: JudgedRead): string {
  return outcome === 'reports'
    ? 'It would be reported if the API had a total.'
    : 'A total in the response would not show it.'
}

/** `turnleaf diagnose` finds the same where the API does the same. */
function fixSentence(fix: string): string {
  return `Diagnosis fixes it: ${fix}`
}

function notApplying({ name: stream }: Task, { name: fault, says: does }: Fault, why: string): SurveyResult {
  const nothing = { expected: 0, missing: 0, doubled: 0, requests: 0, verdict: null, error: null, ifCounted: null }
  return { stream, fault, does, outcome: 'does not apply', says: `${capital(why)}.`, ...nothing }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Only an API that counts can count wrongly. */
function needsTotal({ suits }: Fault, traits: readonly Trait[]): boolean {
  return !suits(traits.filter((trait) => trait !== 'total'))
}

async function readUnder(task: Task, how: Misbehaviour): Promise<{ read: ReadResult; shortfall: string | null }> {
  const reading = surveyReadUnder(task, how)
  const read = await readFirstSlice(reading)
  const shortfalls = reading.endpoints.flatMap((endpoint) => (endpoint.role === 'own' ? endpoint.shortfalls : []))
  return { read, shortfall: shortfalls[0] ?? null }
}

/** A fresh API for each read. */
function surveyReadUnder(task: Task, how: Misbehaviour): SurveyRead {
  const { name, stream, config, before } = task
  const endpoints = endpointsOf(stream, config, (listing) =>
    listing.role === 'own' ? faultyList(listing, how) : listEndpoint(listing),
  )
  return { ...task, stream: name, endpoints: [...before, ...endpoints] }
}

/** Enough to reach the fault, and to try a change or two. */
const limits = { maxPages: 8, maxProbes: 12 }

/** A sentence, `Set page_size to 50.`; null where no change helps. */
async function fixOf(text: string, reading: SurveyRead): Promise<string | null> {
  const { server, manifest, config, stream, endpoints, signal } = reading
  const network = server.network((request) => answerOf(endpoints, request))
  try {
    const at = { folder: manifest.folder, config, stream, signal, network }
    const { findings } = await diagnose(text, { ...at, ...limits, ...movingClock() })
    return findings.find(({ fix }) => fix?.retest?.isFixed === true)?.fix?.says ?? null
  } catch (error) {
    // What cannot be diagnosed cannot be fixed; a cancelled survey is an error.
    if (signal.aborted || !(error instanceof ConnectorError)) throw error
    return null
  } finally {
    await network.close()
  }
}

/** Every API may count its records; those of a manifest that reads no count are made to where a fault needs it. */
export function traitsOf(paging: Paging): Trait[] {
  if (!paging.hasPageToken) return []
  return ['pages', 'sized', 'total', ...waysOf(paging)]
}

function waysOf(paging: Paging): Trait[] {
  if (isCounted(paging)) return ['counted']
  if (isKeyed(paging)) return ['keyed']
  return paging.isLink ? ['next', 'cursor', 'link'] : ['next', 'cursor']
}

const without: Readonly<Record<Trait, string>> = {
  pages: 'the stream reads one page',
  sized: 'the pages have no size',
  total: 'the API counts nothing',
  counted: 'the manifest sends no number of a page or record',
  next: 'the manifest does not ask the API which page is next',
  keyed: 'the read does not continue from a record',
  cursor: 'no cursor is handed out',
  link: 'the next page is not requested by a link',
}

const despite: { readonly [trait in Trait]?: string } = {
  keyed: 'the read continues from the last record of a page',
}

/** Null where it makes sense. */
export function whyNot({ name, suits }: Fault, traits: readonly Trait[], asksForSize: boolean): string | null {
  if (name === 'capped-size' && traits.includes('pages') && !asksForSize) return 'the manifest asks for no page size'
  if (suits(traits)) return null
  if (!traits.includes('pages')) return without.pages
  const all = Object.keys(without) as Trait[]
  const missing = all.find((trait) => !traits.includes(trait) && suits([...traits, trait]))
  if (missing !== undefined) return without[missing]
  const surplus = traits.find((trait) => suits(traits.filter((one) => one !== trait)))
  return (surplus && despite[surplus]) ?? 'the fault needs another way of paging'
}
