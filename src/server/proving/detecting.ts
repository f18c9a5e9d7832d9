/** An address or a stream of a manifest → how its pages follow each other, event by event. */
import { isUrl } from '../../is-url.ts'
import { isCredentialName } from '../../engine/request/credential-names.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import { createRedactor, type Redactor } from '../../engine/response/redact.ts'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import { detect, detectionLimits } from '../../insight/detection/detect.ts'
import type { Detection, DetectionRequest as Asked } from '../../insight/detection/detection.ts'
import type { Probe } from '../../insight/probe.ts'
import { parseJson } from '../../json.ts'
import { problemOf } from '../answers.ts'
import { withoutSecretsOf } from '../request-secrets.ts'
import type { ApiProblem } from '../wire/problem.ts'
import type { detectionRequest } from '../wire/detection.ts'
import type { z } from 'zod'
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
    async run(tell, signal) {
      const { asked, network, redactor, close } = await openAsked(request, tools, signal)
      try {
        const onProbe = (probe: Probe) => tell({ kind: 'probe', probe: redactor.value(probe) as Probe })
        const detection = await detect(asked, { network, signal, onProbe })
        return { kind: 'end', detection: redactor.value(detection) as Detection, problem: null }
      } catch (error) {
        throw redactor.error(error)
      } finally {
        await close()
      }
    },
  })
}

type OpenAsked = {
  readonly asked: Asked
  readonly network: Network
  readonly redactor: Pick<Redactor, 'value' | 'error'>
  readonly close: () => Promise<void>
}

async function openAsked(request: Request, { folder, egress }: WorkTools, signal: AbortSignal): Promise<OpenAsked> {
  if ('text' in request) {
    const { request: first, ...opened } = await openStreamRequest(request, { folder, egress, signal })
    return { asked: askedAs(first), ...opened }
  }
  const network = openNetwork({ egress, limits: detectionLimits })
  return { asked: withoutAbsent(request), network, redactor: redactorOf(request), close: () => network.close() }
}

/** What a request of the engine holds, in detection's words. */
function askedAs({ method, url, headers, body }: HttpRequest): Asked {
  const asked = { url, method: method === 'POST' ? ('POST' as const) : ('GET' as const), headers }
  if (body === null) return asked
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  return type.includes('x-www-form-urlencoded')
    ? { ...asked, form: Object.fromEntries(new URLSearchParams(body)) }
    : { ...asked, json: parseJson(body).value }
}

function withoutAbsent(request: Exclude<Request, { text: string }>): Asked {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as Asked
}

/** Detection hides what it is given; whatever an API makes of it afterwards is hidden too. */
function redactorOf({ url, headers = {}, form = {} }: Exclude<Request, { text: string }>): Redactor {
  const query = isUrl(url) ? [...new URL(url).searchParams] : []
  const named = [...query, ...Object.entries(headers), ...Object.entries(form)]
  return createRedactor(named.flatMap(([name, value]) => (isCredentialName(name) ? [value, bare(value)] : [])))
}

/** `Bearer abc` is as secret as `abc`. */
function bare(value: string): string {
  return value.replace(/^\w+\s+/, '')
}
