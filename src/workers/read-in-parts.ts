/** The lead of a sync: streams of many slices are cut into parts that any worker reads; what is left it reads itself. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import type { HeldClaim } from '../destinations/destination.ts'
import { planNamed } from '../engine/streams-of.ts'
import { openRunOf } from '../read.ts'
import { ConnectorError } from '../std/errors.ts'
import { sleep } from '../std/sleep.ts'
import { planParts } from '../sync/plan-parts.ts'
import type { StreamReceipt } from '../sync/receipt.ts'
import { streamsToSync } from '../sync/sync.ts'
import type { Query } from './database.ts'
import type { HeldJob, Queue } from './queue.ts'
import type { LeadOptions } from './open-task.ts'
import { ownSchema } from './tables.ts'

export type PartRules = {
  /** How many slices a part has. */
  readonly partSize: number
  /** Streams with fewer slices are read by the lead. */
  readonly fromSlices: number
}

export type Leading = {
  readonly manifest: LoadedManifest
  readonly options: LeadOptions
  readonly query: Query
  readonly queue: Queue
  readonly job: HeldJob<'sync'>
  readonly rules: PartRules
  readonly report: (event: PartsEvent) => void
}

export type PartsEvent =
  | { readonly kind: 'parts'; readonly stream: string; readonly parts: number; readonly ended: number }
  | { readonly kind: 'job-notice'; readonly text: string; readonly isWarning: boolean }

const pollMs = 500

/**
 * Returns when every part has ended. What they left, and all other streams, is for the lead.
 * `hasBegun`: the run is a new one, and the plan began it.
 */
export async function readInParts(leading: Leading): Promise<{ readonly hasBegun: boolean }> {
  const { manifest, options, queue, job, rules, report } = leading
  // Those of a lead before this one: nothing that they still write would be accepted.
  await queue.cancelParts(job.id)
  const streams = await slicedStreams(leading)
  if (streams.length === 0) return { hasBegun: false }
  const submitted: SubmittedParts[] = []
  try {
    const planned = await planParts(manifest, {
      ...options,
      streams,
      partSize: rules.partSize,
      onEvent: () => {},
      async onPlanned({ stream, parts, slices, lead, reason }) {
        if (reason !== null)
          report({
            kind: 'job-notice',
            text: `Stream "${stream}" is not split between workers: ${reason}.`,
            isWarning: false,
          })
        else if (slices >= rules.fromSlices) submitted.push(await submitParts(leading, stream, lead, parts))
      },
    })
    await waitForParts(leading, submitted)
    return { hasBegun: planned.some(({ isNewRun }) => isNewRun) }
  } catch (error) {
    // The lease of the job may end before they do.
    await queue.cancelParts(job.id).catch(() => {})
    throw error
  }
}

type SubmittedParts = { readonly stream: string; readonly ids: readonly string[]; ended: number }

async function submitParts(
  { queue, job, report }: Leading,
  stream: string,
  lead: HeldClaim,
  parts: number,
): Promise<SubmittedParts> {
  const { connection, options: given, format } = job.task
  const tasks = Array.from({ length: parts }, (_, index) => ({
    connection,
    // The part belongs to a read that has begun.
    options: { ...given, isFresh: undefined },
    // What the sync asks for is what its parts are read with.
    ...(format !== undefined && { format }),
    sync: job.id,
    stream,
    part: index + 1,
    lead,
  }))
  const ids = await queue.submitParts(tasks)
  report({ kind: 'parts', stream, parts, ended: 0 })
  return { stream, ids, ended: 0 }
}

async function waitForParts({ queue, report, options }: Leading, submitted: readonly SubmittedParts[]): Promise<void> {
  const signal = options.signal ?? new AbortController().signal
  for (;;) {
    if (signal.aborted)
      throw new ConnectorError('response/aborted', 'The sync was stopped while other workers read its parts.')
    for (const one of submitted) {
      const { stream, ids } = one
      if (one.ended === ids.length) continue
      const ended = ids.length - (await queue.unfinished(ids))
      if (ended !== one.ended) report({ kind: 'parts', stream, parts: ids.length, ended })
      one.ended = ended
    }
    if (submitted.every(({ ids, ended }) => ended === ids.length)) return
    await sleep(pollMs, signal).catch(() => {})
  }
}

/** Streams that have slices at all, and did not have few of them the last time: planning reads their parents. */
async function slicedStreams({ manifest, options, query, job, rules }: Leading): Promise<readonly string[]> {
  const { run, close } = await openRunOf(manifest, options)
  try {
    const chosen = await streamsToSync(run, options)
    const rows = await query(`SELECT stream, slices FROM ${ownSchema}.slices WHERE connection = $1`, [
      job.task.connection,
    ])
    const known = new Map(rows.map(({ stream, slices }) => [String(stream), Number(slices)]))
    const sliced: string[] = []
    for (const { name } of chosen) {
      if ((known.get(name) ?? Number.POSITIVE_INFINITY) < rules.fromSlices && options.isFresh !== true) continue
      const { slicing } = await planNamed(run, name, { signal: options.signal })
      if (slicing.routers.length > 0 || slicing.cursor !== null) sliced.push(name)
    }
    return sliced
  } finally {
    await close()
  }
}

/** For the next sync of the connection. */
export async function rememberSlices(
  query: Query,
  connection: string,
  receipts: readonly StreamReceipt[],
): Promise<void> {
  const read = receipts.filter(({ ending }) => ending !== 'failed' && ending !== 'cancelled')
  if (read.length === 0) return
  await query(
    `INSERT INTO ${ownSchema}.slices (connection, stream, slices)
     SELECT $1, stream, slices FROM jsonb_to_recordset($2::jsonb) AS given (stream text, slices int)
     ON CONFLICT (connection, stream) DO UPDATE SET slices = excluded.slices`,
    [connection, JSON.stringify(read.map(({ stream, slices }) => ({ stream, slices })))],
  )
}
