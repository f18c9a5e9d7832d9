/** A URL or a stream of a manifest → its detected pagination, as events. */
import { isUrl } from '../../std/text/is-url.ts'
import { isCredentialName } from '../../engine/secrets/credential-names.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import { createRedactor, type Redactor } from '../../engine/secrets/redact.ts'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import { detect, detectionLimits } from '../../proof/detection/detect.ts'
import type { Detection, DetectionRequest as ProbedRequest } from '../../proof/detection/detection.ts'
import type { Probe } from '../../proof/probe.ts'
import { parseJson } from '../../std/json.ts'
import { problemOf } from '../responses.ts'
import { withoutSecretsOf } from '../request-secrets.ts'
import type { ApiProblem } from '../wire/problem.ts'
import type { detectionRequest } from '../wire/detection.ts'
import type { z } from 'zod'
import { asItIs } from '../wrap-network.ts'
import { progressOf, type WorkTools } from './progress.ts'
import { openStreamRequest } from './stream-request.ts'

export type DetectionEvent =
  | { readonly kind: 'probe'; readonly probe: Probe }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'end'; readonly detection: Detection | null; readonly problem: ApiProblem | null }

type Request = z.output<typeof detectionRequest>

export function detecting(request: Request, tools: WorkTools): AsyncIterableIterator<DetectionEvent> {
  return progressOf<DetectionEvent>({
    waiting: { kind: 'waiting' },
    failed: (error) => ({ kind: 'end', detection: null, problem: problemOf(withoutSecretsOf(request, error)) }),
    onEnd: tools.onEnd,
    async run(send, signal) {
      const { probed, network, redactor, close } = await openProbed(request, tools, signal)
      try {
        const onProbe = (probe: Probe) => send({ kind: 'probe', probe: redactor.value(probe) as Probe })
        const detection = await detect(probed, { network, signal, onProbe })
        return { kind: 'end', detection: redactor.value(detection) as Detection, problem: null }
      } catch (error) {
        throw redactor.error(error)
      } finally {
        await close()
      }
    },
  })
}

type OpenProbed = {
  readonly probed: ProbedRequest
  readonly network: Network
  readonly redactor: Pick<Redactor, 'value' | 'error'>
  readonly close: () => Promise<void>
}

async function openProbed(
  request: Request,
  { folder, egress, wrapNetwork = asItIs }: WorkTools,
  signal: AbortSignal,
): Promise<OpenProbed> {
  if ('text' in request) {
    const { request: first, ...opened } = await openStreamRequest(request, { folder, egress, wrapNetwork, signal })
    return { probed: detectionRequestOf(first), ...opened }
  }
  const network = wrapNetwork(openNetwork({ egress, limits: detectionLimits }))
  return { probed: withoutAbsent(request), network, redactor: redactorOf(request), close: () => network.close() }
}

/** A request of the engine as a request of detection. */
function detectionRequestOf({ method, url, headers, body }: HttpRequest): ProbedRequest {
  const request = { url, method: method === 'POST' ? ('POST' as const) : ('GET' as const), headers }
  if (body === null) return request
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  return type.includes('x-www-form-urlencoded')
    ? { ...request, form: Object.fromEntries(new URLSearchParams(body)) }
    : { ...request, json: parseJson(body).value }
}

function withoutAbsent(request: Exclude<Request, { text: string }>): ProbedRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as ProbedRequest
}

/** Detection hides the given secrets; this also hides them in responses of the API. */
function redactorOf({ url, headers = {}, form = {} }: Exclude<Request, { text: string }>): Redactor {
  const query = isUrl(url) ? [...new URL(url).searchParams] : []
  const named = [...query, ...Object.entries(headers), ...Object.entries(form)]
  return createRedactor(named.flatMap(([name, value]) => (isCredentialName(name) ? [value, bare(value)] : [])))
}

/** `Bearer abc` is as secret as `abc`. */
function bare(value: string): string {
  return value.replace(/^\w+\s+/, '')
}
