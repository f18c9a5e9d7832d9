/** `AsyncRetriever` → the life of its jobs. What is downloaded is planned as in any other stream. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { Component, Manifest } from '../manifest/manifest.ts'
import { type DecoderPlan, planDecoder } from './decoder.ts'
import type { Config } from './plan.ts'
import { type RequesterPlan, planRequester } from './requester.ts'
import { componentIn, numberIn, type PlanInput, requiredComponentIn } from './read-fields.ts'
import { type ExtractorPlan, planExtractor } from './selector.ts'

export type JobPlan = {
  readonly at: SourceLocation
  readonly create: RequesterPlan
  readonly poll: RequesterPlan
  /** Where a separate response names the downloads, rather than the last poll. */
  readonly list: RequesterPlan | null
  readonly abort: RequesterPlan | null
  readonly delete: RequesterPlan | null
  /** For the responses about the job, not for its downloads. */
  readonly decoder: DecoderPlan
  readonly status: ExtractorPlan
  /** The API's word for a status → what it means. */
  readonly meanings: Readonly<Record<string, JobStatus>>
  /** What to download; null when there is one download and responses need not name it. */
  readonly targets: ExtractorPlan | null
  /** A job that runs longer is given up. */
  readonly timeoutMs: number
  /** How long to wait before a failed job is created anew; null waits as long as between two polls. */
  readonly retryWaitMs: number | null
}

const jobStatuses = ['running', 'completed', 'failed', 'timeout', 'skipped'] as const

export type JobStatus = (typeof jobStatuses)[number]

const defaultTimeoutMinutes = 60

/** Null for streams whose records are requested directly. */
export function planJob(input: PlanInput, retriever: Component): JobPlan | null {
  if (retriever.type !== 'AsyncRetriever') return null
  const optional = (field: string): RequesterPlan | null => {
    const requester = componentIn(retriever, field)
    return requester === null ? null : planRequester(input, requester)
  }
  const list = optional('download_target_requester')
  const targets = componentIn(retriever, 'download_target_extractor')
  if (list !== null && targets === null) throw listWithoutTargets(input, retriever)
  return {
    at: input.manifest.at(retriever),
    create: planRequester(input, requiredComponentIn(input, retriever, 'creation_requester')),
    poll: planRequester(input, requiredComponentIn(input, retriever, 'polling_requester')),
    list,
    abort: optional('abort_requester'),
    delete: optional('delete_requester'),
    decoder: planDecoder(input, componentIn(retriever, 'decoder')),
    status: planExtractor(input, requiredComponentIn(input, retriever, 'status_extractor')),
    meanings: planMeanings(input, requiredComponentIn(input, retriever, 'status_mapping')),
    targets: targets === null ? null : planExtractor(input, targets),
    // Airbyte: 0 means the default.
    timeoutMs: (numberIn(input, retriever, 'polling_job_timeout') || defaultTimeoutMinutes) * 60_000,
    retryWaitMs: retryWaitOf(input, retriever),
  }
}

function planMeanings(input: PlanInput, mapping: Component): Readonly<Record<string, JobStatus>> {
  const meanings = new Map<string, JobStatus>()
  for (const status of jobStatuses) {
    for (const word of (mapping[status] as readonly unknown[] | undefined) ?? []) {
      const known = meanings.get(String(word))
      if (known !== undefined) throw twoMeanings(input, mapping, String(word), [known, status])
      meanings.set(String(word), status)
    }
  }
  return Object.fromEntries(meanings)
}

function retryWaitOf(input: PlanInput, retriever: Component): number | null {
  const seconds = numberIn(input, retriever, 'failed_retry_wait_time_in_seconds')
  return seconds === null || seconds <= 0 ? null : seconds * 1000
}

/**
 * How many jobs of one source may run at once.
 * Airbyte: one, also where the number cannot be evaluated.
 */
export function jobLimitOf(manifest: Manifest, config: Config): number {
  try {
    return Math.max(1, Math.trunc(numberIn({ manifest, config }, manifest.root, 'max_concurrent_async_job_count') ?? 1))
  } catch (error) {
    if (error instanceof ConnectorError) return 1
    throw error
  }
}

function listWithoutTargets(input: PlanInput, retriever: Component): ConnectorError {
  const message = 'AsyncRetriever has a `download_target_requester` and no `download_target_extractor`.'
  return new ConnectorError('manifest/missing-field', message, { at: input.manifest.at(retriever) })
}

function twoMeanings(input: PlanInput, mapping: Component, word: string, [one, other]: JobStatus[]): ConnectorError {
  const message = `\`status_mapping\` gives the status \`${word}\` two meanings: ${one} and ${other}.`
  return new ConnectorError('manifest/invalid-value', message, {
    at: input.manifest.at(mapping),
    hint: 'Keep it in one of the two lists.',
  })
}
