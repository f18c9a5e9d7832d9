/** One job: the requests and responses about it, its status, and how templates see them. */
import type { ParsedJson } from '../../std/json.ts'
import { isObject } from '../../std/values/objects.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { HttpResponse } from '../response/http-response.ts'
import type { Slice } from '../slices/slice.ts'
import { AttributedDict, HeaderDict } from '../template/host.ts'
import type { Scope } from '../template/template.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { JobPlan, JobStatus } from '../plan/job.ts'
import type { Config } from '../plan/plan.ts'
import type { Instances } from '../custom/component.ts'
import { extract } from '../records/extract.ts'
import { responseAddress, visible } from '../response/decode.ts'
import { pythonText } from '../template/text.ts'

/** The requests that a job can need. */
export type JobStep = 'create' | 'poll' | 'list' | 'abort' | 'delete'

export type JobExchange = {
  readonly request: HttpRequest
  readonly response: HttpResponse
  readonly decoded: ParsedJson
  readonly askedAt: number
  readonly tookMs: number
}

/** What a request about a job is built from. */
export type JobInput = {
  readonly slice: Slice
  /** Which try this is; 1 is the first. */
  readonly attempt: number
  /** What templates may use: `creation_response` once there is one, `polling_response` once it is completed. */
  readonly names: Scope
  /** Where the job was created: credentials belong there when an address comes from a response alone. */
  readonly home?: string
}

export type SendStep = (step: JobStep, input: JobInput, signal: AbortSignal) => Promise<JobExchange>

/** The job after the response to its creation. */
export function createdJob(input: JobInput, exchange: JobExchange): JobInput {
  const { request } = exchange
  return { ...input, names: { creation_response: forTemplates(exchange) }, home: request.home ?? request.url }
}

/** The job after the response that reports it completed. */
export function completedJob(job: JobInput, exchange: JobExchange): JobInput {
  return { ...job, names: { ...job.names, polling_response: forTemplates(exchange) } }
}

/** The body, plus `headers` and `request` where it has no members of these names. No credential is in the request. */
function forTemplates({ request, response, decoded: { value } }: JobExchange): Readonly<Record<string, unknown>> {
  const { method, url, headers, body } = request
  const asked = new AttributedDict({}, { method, url, headers: HeaderDict.fromPlain(headers), body })
  const members = isObject(value) ? value : {}
  return { headers: HeaderDict.fromPlain(response.headers), request: asked, ...members }
}

/** The API's own word and its meaning. */
export type Status = { readonly word: string; readonly meaning: JobStatus }

/** What extracting needs in addition to its plan. */
type ResponseTools = { readonly config: Config; readonly slice: Slice; readonly instances: Instances }

export function statusOf(plan: JobPlan, exchange: JobExchange, tools: ResponseTools): Status {
  const [first = null] = extract(plan.status, exchange.decoded.value, tools).found
  // Airbyte: no status at all is the word `None`, which a mapping may hold.
  const word = pythonText(first)
  const meaning = Object.hasOwn(plan.meanings, word) ? plan.meanings[word] : undefined
  if (meaning === undefined) throw unknownStatus(plan, exchange, first === null ? null : word)
  return { word: visible(word.slice(0, longestWord)), meaning }
}

/** Every target the response names, in order; where the manifest extracts none, one download without a name. */
export function targetsIn(plan: JobPlan, exchange: JobExchange, tools: ResponseTools): readonly unknown[] {
  return plan.targets === null ? [''] : extract(plan.targets, exchange.decoded.value, tools).found
}

const longestWord = 100

function placeIn(status: JobPlan['status']): string {
  switch (status.kind) {
    case 'custom':
      return status.className
    case 'combined':
      return status.members.map(placeIn).join(', ')
    case 'path':
      return status.path.map(({ source }) => source).join('.')
  }
}

function unknownStatus(
  { status, meanings, at }: JobPlan,
  { response }: JobExchange,
  word: string | null,
): ConnectorError {
  const path = placeIn(status)
  const found = word === null ? 'no status' : `the status \`${visible(word.slice(0, longestWord))}\``
  const known = Object.entries(meanings).map(([one, meaning]) => `${one} (${meaning})`)
  const message = `${responseAddress(response)} answered with ${found} at \`${path}\`; \`status_mapping\` knows ${known.join(', ') || 'none'}.`
  return new ConnectorError('jobs/unknown-status', message, { at })
}
