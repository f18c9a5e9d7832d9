/** The entry point: a request → probes → its pagination, and a manifest that reads it. */
import { callback, checkOnly, signalRule, oneOrMore } from '../../engine/run/check-options.ts'
import { ConnectorError } from '../../std/errors.ts'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import { sleep } from '../../std/sleep.ts'
import { streamName } from '../../from-request/address.ts'
import type { Probe } from '../probe.ts'
import { openProbeSender } from './probe-sender.ts'
import type { Candidate, Detection, DetectionRequest } from './detection.ts'
import { type GivenInput, readGivenInput } from './given-input.ts'
import { openDetectionSession } from './open-session.ts'
import { explain } from './explain.ts'
import { prove } from './prove.ts'
import { slotName } from './probe-request.ts'
import { reserving } from './detection-session.ts'
import { withoutList } from './without-list.ts'

export type DetectOptions = {
  /** A network to share; the caller closes it. */
  readonly network?: Pick<Network, 'send'> & Partial<Pick<Network, 'maxBodyBytes'>>
  /** 12 by default, including those that read with the found manifest. */
  readonly maxRequests?: number
  /** Milliseconds between two requests. */
  readonly spacing?: number
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now?: () => number
  readonly signal?: AbortSignal
  readonly onProbe?: (probe: Probe) => void
}

export const usualRequests = 12

/** Kept for reading with the found manifest. */
const keptForReread = 3
const usualSpacingMs = 200

/** Limits of one probe. */
export const detectionLimits = { headersMs: 20_000, totalMs: 30_000, maxBodyBytes: 32 * 1024 * 1024 }

/**
 * Finds out how an API paginates, with a few requests. Throws where the API refuses the given request.
 *
 * @example
 * const { answer, manifest } = await detect({ url: 'https://api.example.com/v1/orders' })
 */
export async function detect(request: DetectionRequest, options: DetectOptions = {}): Promise<Detection> {
  const given = readGivenInput(request)
  checkOnly(options, { maxRequests: oneOrMore, signal: signalRule, onProbe: callback, now: callback, sleep: callback })
  const own = options.network === undefined ? openNetwork({ limits: detectionLimits }) : null
  const network: NonNullable<DetectOptions['network']> = options.network ?? (own as Network)
  const { maxRequests = usualRequests, now = Date.now, signal = new AbortController().signal } = options
  try {
    const sender = openProbeSender({
      network,
      maxRequests,
      spacingMs: options.spacing ?? usualSpacingMs,
      sleep: options.sleep ?? sleep,
      now,
      signal,
      redactor: given.redactor,
      onProbe: options.onProbe ?? (() => {}),
    })
    const stream = streamName(given.question.address)
    const opened = await openDetectionSession(given, sender, stream)
    const explained =
      'session' in opened
        ? await explain(reserving(opened.session, Math.min(keptForReread, Math.floor(maxRequests / 4))))
        : withoutList(opened.alone, opened.needed, stream)
    const { maxBodyBytes = detectionLimits.maxBodyBytes } = network
    const found = await prove(given, explained, { sender, maxBodyBytes, signal, now })
    return {
      answer: found.answer,
      says: given.redactor.text(found.says),
      recordPath: 'session' in opened ? found.expected.layout.path : null,
      candidates: redacted(
        found.candidates.map((one) => withLeftOut(one, given)),
        given.redactor.text,
      ),
      probes: sender.probes,
      manifest: found.manifest,
    }
  } catch (error) {
    throw error instanceof ConnectorError ? given.redactor.error(error) : error
  } finally {
    await own?.close()
  }
}

function withLeftOut(candidate: Candidate, { taken }: GivenInput): Candidate {
  if (taken.length === 0) return candidate
  const left = taken.map(({ slot, value }) => `${slotName(slot)}=${String(value)}`)
  return {
    ...candidate,
    evidence: [...candidate.evidence, `left out of the request as it was given: ${left.join(', ')}`],
    without: taken.map(({ slot: { into, path } }) => ({ into, path })),
  }
}

function redacted(candidates: readonly Candidate[], text: (text: string) => string): Candidate[] {
  return candidates.map((one) => ({ ...one, says: text(one.says), evidence: one.evidence.map(text) }))
}
