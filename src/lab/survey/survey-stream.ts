/** One stream × every fault: read once without, to know what there is, and once with each. */
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import type { ResolvedStream } from '../../engine/streams/resolve-streams.ts'
import { number } from '../../std/text/format-count.ts'
import type { Fault, Trait } from '../faults/fault.ts'
import { asComponent } from '../mirror/components.ts'
import type { Endpoint } from '../mirror/endpoint.ts'
import { endpointsOf } from '../mirror/endpoints.ts'
import { listEndpoint } from '../mirror/list-endpoint.ts'
import { pagingOf } from '../mirror/paging.ts'
import type { AnsweringServer } from '../mirror/server.ts'
import { retrieverOf } from './choose-streams.ts'
import { faultyList, type Misbehaviour } from './faulty-list.ts'
import { type Judged, judgeWalk, whyUnfit } from './judge.ts'
import { mendOf } from './mend.ts'
import { type Reading, readWalk, type Walk } from './read-walk.ts'
import type { Skipped, SurveyResult } from './result.ts'
import { traitsOf, whyNot } from './traits.ts'

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

/** A walk takes three pages of them, and is read some forty times. */
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
  const { walk: healthy, shortfall } = await walkUnder(task, { fault: null, isCounting: false })
  const why = shortfall ?? whyUnfit(healthy, paging.isTold)
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
  const { walk, shortfall } = await walkUnder(task, how)
  if (shortfall !== null) return notApplying(task, how.fault, shortfall)
  const judged = judgeWalk(walk, expected)
  const mend = judged.outcome === 'survives' ? null : await mendOf(task.text, readingUnder(task, how))
  const isOpen = judged.outcome === 'is fooled' && !how.isCounting && !walk.isEndless
  const counted = isOpen ? judgeWalk((await walkUnder(task, { ...how, isCounting: true })).walk, expected) : null
  const { error, verdict, requests } = walk
  return {
    stream: task.name,
    fault: how.fault.name,
    does: how.fault.says,
    ...judged,
    says: [
      judged.says,
      ...(counted === null ? [] : [sayCounted(counted)]),
      ...(mend === null ? [] : [sayMend(mend)]),
    ].join(' '),
    requests,
    verdict,
    error: error && { code: error.code, message: error.message, hint: error.hint },
    ifCounted: counted?.outcome ?? null,
  }
}

function sayCounted({ outcome }: Judged): string {
  return outcome === 'tells'
    ? 'It would tell, had the API said how many records there are.'
    : 'A total of the API would not show it.'
}

/** `turnleaf diagnose` finds the same where the API does the same. */
function sayMend(mend: string): string {
  return `Diagnosis mends it: ${mend}`
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

async function walkUnder(task: Task, how: Misbehaviour): Promise<{ walk: Walk; shortfall: string | null }> {
  const reading = readingUnder(task, how)
  const walk = await readWalk(reading)
  const shortfalls = reading.endpoints.flatMap((endpoint) => (endpoint.role === 'own' ? endpoint.shortfalls : []))
  return { walk, shortfall: shortfalls[0] ?? null }
}

/** An API that nobody has asked yet. */
function readingUnder(task: Task, how: Misbehaviour): Reading {
  const { name, stream, config, before } = task
  const endpoints = endpointsOf(stream, config, (listing) =>
    listing.role === 'own' ? faultyList(listing, how) : listEndpoint(listing),
  )
  return { ...task, stream: name, endpoints: [...before, ...endpoints] }
}
