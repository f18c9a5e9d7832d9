/** The door: a request → probes → how its pages follow each other, and a manifest that reads them. */
import { ConnectorError } from '../../errors.ts'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import { sleep } from '../../sleep.ts'
import { streamName } from '../../from-request/address.ts'
import type { Probe } from '../probe.ts'
import { openAsking } from './asking.ts'
import type { Candidate, Detection, DetectionRequest } from './detection.ts'
import { type Given, readGiven } from './given.ts'
import { manifestFor } from './manifest.ts'
import { openWalk } from './open-walk.ts'
import { type Explanation, explain } from './explain.ts'
import type { Reading } from './pages.ts'
import { withoutList } from './without-list.ts'

export type DetectOptions = {
  /** Closed by whoever opened it. */
  readonly network?: Pick<Network, 'send'>
  readonly maxRequests?: number
  /** Milliseconds between two requests. */
  readonly spacing?: number
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now?: () => number
  readonly signal?: AbortSignal
  readonly onProbe?: (probe: Probe) => void
}

const usualRequests = 8
const usualSpacingMs = 200

/** Nobody waits half a minute for one answer of a page that should be small. */
export const detectionLimits = { headersMs: 20_000, totalMs: 30_000, maxBodyBytes: 32 * 1024 * 1024 }

/**
 * Finds out how an API is paged by asking it a few times. Throws where it refuses the request as it was given.
 *
 * @example
 * const { answer, manifest } = await detect({ url: 'https://api.example.com/v1/orders' })
 */
export async function detect(request: DetectionRequest, options: DetectOptions = {}): Promise<Detection> {
  const given = readGiven(request)
  const own = options.network === undefined ? openNetwork({ limits: detectionLimits }) : null
  try {
    const asking = openAsking({
      network: options.network ?? (own as Network),
      maxRequests: options.maxRequests ?? usualRequests,
      spacingMs: options.spacing ?? usualSpacingMs,
      sleep: options.sleep ?? sleep,
      now: options.now ?? Date.now,
      signal: options.signal ?? new AbortController().signal,
      redactor: given.redactor,
      onProbe: options.onProbe ?? (() => {}),
    })
    const opened = await openWalk(given, asking, streamName(given.question.address))
    const { reading, ...found } =
      'walk' in opened ? { ...(await explain(opened.walk)), reading: opened.walk.reading } : withoutList(opened.alone)
    return {
      answer: found.answer,
      says: given.redactor.text(found.says),
      recordPath: 'walk' in opened ? reading.path : null,
      candidates: redacted(found.candidates, given.redactor.text),
      probes: asking.probes,
      manifest: manifestOf(given, found, reading),
    }
  } catch (error) {
    throw error instanceof ConnectorError ? given.redactor.error(error) : error
  } finally {
    await own?.close()
  }
}

function manifestOf({ open }: Given, { answer, candidates, records, endRule }: Explanation, reading: Reading) {
  const [candidate] = candidates
  if (answer === 'cannot-tell' || candidate === undefined) return null
  return manifestFor({ open, candidate, reading, records, endRule })
}

function redacted(candidates: readonly Candidate[], text: (text: string) => string): Candidate[] {
  return candidates.map((one) => ({ ...one, says: text(one.says), evidence: one.evidence.map(text) }))
}
