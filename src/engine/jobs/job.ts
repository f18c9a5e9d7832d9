/** One job on its way: what was asked and answered about it, and how templates see that. */
import type { ParsedJson } from '../../std/json.ts'
import { isObject } from '../../std/values/objects.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { HttpResponse } from '../response/http-response.ts'
import type { Slice } from '../slices/slice.ts'
import { AttributedDict, HeaderDict } from '../template/host.ts'
import type { Scope } from '../template/template.ts'

/** What can be asked about a job. */
export type JobStep = 'create' | 'poll' | 'list' | 'abort' | 'delete'

export type JobAnswer = {
  readonly request: HttpRequest
  readonly response: HttpResponse
  readonly decoded: ParsedJson
  readonly askedAt: number
  readonly tookMs: number
}

/** What a request about a job is made from. */
export type JobInput = {
  readonly slice: Slice
  /** Which try this is; 1 is the first. */
  readonly attempt: number
  /** What templates may use: `creation_response` once there is one, `polling_response` once it is completed. */
  readonly names: Scope
  /** Where the job was created: credentials belong there when an address is nothing but what an answer said. */
  readonly home?: string
}

export type Ask = (step: JobStep, input: JobInput, signal: AbortSignal) => Promise<JobAnswer>

/** The job after its creation was answered. */
export function createdJob(input: JobInput, answer: JobAnswer): JobInput {
  const { request } = answer
  return { ...input, names: { creation_response: forTemplates(answer) }, home: request.home ?? request.url }
}

/** The job after the answer that called it completed. */
export function completedJob(job: JobInput, answer: JobAnswer): JobInput {
  return { ...job, names: { ...job.names, polling_response: forTemplates(answer) } }
}

/** The body, with `headers` and `request` besides where it has no members of these names. No credential is in the request. */
function forTemplates({ request, response, decoded: { value } }: JobAnswer): Readonly<Record<string, unknown>> {
  const { method, url, headers, body } = request
  const asked = new AttributedDict({}, { method, url, headers: HeaderDict.fromPlain(headers), body })
  const members = isObject(value) ? value : {}
  return { headers: HeaderDict.fromPlain(response.headers), request: asked, ...members }
}
