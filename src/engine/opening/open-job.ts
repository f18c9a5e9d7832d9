/** A run + the plan of a stream's jobs → what creates, polls and ends them. */
import type { ParsedJson } from '../../std/json.ts'
import { instantiateAll, type Wanted } from '../custom/component.ts'
import type { SendStep, JobInput, JobStep } from '../jobs/job.ts'
import type { JobTools } from '../jobs/run-job.ts'
import type { OpenDecoder, OpenRequester } from '../pages/stream.ts'
import type { JobPlan } from '../plan/job.ts'
import { extractorClassesIn, type ExtractorPlan } from '../plan/selector.ts'
import { RecordExtractor } from '../records/record-classes.ts'
import { peekJson, peekOrNothing } from '../response/decode.ts'
import type { HttpResponse } from '../response/http-response.ts'
import { askingFor, type Run } from '../run/run.ts'
import { openDecoder } from './open-decoder.ts'
import { openRequester } from './open-requester.ts'

const steps = ['create', 'poll', 'list', 'abort', 'delete'] as const satisfies readonly JobStep[]

export async function openJob(run: Run, plan: JobPlan, streamName: string): Promise<JobTools> {
  const { config, now, sleep, report, jobs, trustedOrigins } = run
  const decoder = await openDecoder(run, plan.decoder)
  const instances = await instantiateAll([...extractorClass(plan.status), ...extractorClass(plan.targets)], run)
  const requesters = new Map<JobStep, OpenRequester>()
  for (const step of steps) {
    const requester = plan[step]
    if (requester !== null) requesters.set(step, openRequester(askingFor(run, { kind: 'job', step }), requester))
  }

  const sendStep: SendStep = async (step, input, signal) => {
    const requester = requesters.get(step)
    if (requester === undefined) throw new TypeError(`the manifest has no requester to ${step} a job`)
    const request = await requester.build({ ...requestInput(requester, input), trustedOrigins })
    const askedAt = now()
    const response = await requester.send(request, signal)
    const tookMs = now() - askedAt
    const decoded = await decodedFor(step, response, decoder)
    return { request, response, decoded, askedAt, tookMs }
  }
  /** Airbyte: what a slice injects by `request_option` reaches none of them; templates see the slice. */
  const requestInput = ({ plan: requester }: OpenRequester, { slice, names, home }: JobInput) => ({
    requester,
    at: plan.at,
    config,
    slice,
    token: null,
    placed: [],
    names,
    ...(home !== undefined && { home }),
  })
  return { plan, streamName, config, send: sendStep, jobs, instances, now, sleep, report }
}

/** What is not read, as the response to a deletion, may be anything. */
async function decodedFor(step: JobStep, response: HttpResponse, decoder: OpenDecoder): Promise<ParsedJson> {
  const isRead = step !== 'abort' && step !== 'delete' && !response.isIgnored
  if (!isRead) return peekOrNothing(response)
  // Airbyte: a creation is answered in JSON, whatever the later responses are.
  return (step === 'create' ? peekJson(response) : null) ?? decoder.whole(response)
}

function extractorClass(plan: ExtractorPlan | null): Wanted[] {
  return plan === null ? [] : extractorClassesIn(plan).map((one): Wanted => [one, RecordExtractor])
}
