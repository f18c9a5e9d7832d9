/** Pages → commits: large enough to be fast, small enough to lose little, one at a time while the next one fills. */
import type { Commit, TablePage, Step, Table, TableRows } from '../destinations/destination.ts'
import type { CheckpointSource, SharedDestination } from './shared-destination.ts'

export type Writer = {
  /** Waits while the destination is busy, so the reader requests no more pages. */
  write(table: Table, page: TablePage, bytes: number, checkpoint: CheckpointSource): Promise<void>
  /** Adds a step after the pages written so far. */
  step(step: Step): void
  /** Adds a checkpoint to the next commit. */
  checkpoint(checkpoint: CheckpointSource): void
  /** Drops the checkpoints whose keys have this prefix, with the next commit. */
  forget(prefix: string): void
  /** Commits everything added so far, and waits for it. */
  flush(): Promise<void>
  /** How many rows there are now; null where the destination does not count. */
  count(table: Table): Promise<TableRows | null>
  /** Why the destination failed; null while it works. */
  failure(): { readonly error: unknown } | null
}

/** Measured: DuckDB writes a sixth as many records per second when it commits every hundred. */
const fullAt = { records: 5000, bytes: 8 << 20, afterMs: 1000 }

export function openWriter(destination: SharedDestination, now: () => number, onCommit: () => void): Writer {
  let batch = emptyBatch()
  let committing: Promise<void> | null = null
  let failure: { readonly error: unknown } | null = null
  let lastAt = now()

  const settled = async () => {
    await committing
    if (failure !== null) throw failure.error
  }
  const commitSealed = async (sealed: Commit, shared: readonly CheckpointSource[]) => {
    try {
      await destination.commit(sealed, shared)
      committing = null
      onCommit()
    } catch (error) {
      failure = { error }
    }
  }
  const commit = async () => {
    await settled()
    const sealed = seal(batch)
    const shared = [...batch.checkpoints].filter(({ isShared }) => isShared)
    batch = emptyBatch()
    lastAt = now()
    committing = commitSealed(sealed, shared)
  }

  const flush = async () => {
    if (!isEmpty(batch)) await commit()
    await settled()
  }

  return {
    async write(table, page, bytes, checkpoint) {
      // Nothing that is read from now on could be written.
      if (failure !== null) throw failure.error
      addPage(batch, table, page)
      batch.bytes += bytes
      batch.checkpoints.add(checkpoint)
      const isFull = batch.records >= fullAt.records || batch.bytes >= fullAt.bytes
      const isOld = committing === null && now() - lastAt >= fullAt.afterMs
      if (isFull || isOld) await commit()
    },
    step(step) {
      batch.steps.push(step)
    },
    checkpoint(checkpoint) {
      batch.checkpoints.add(checkpoint)
    },
    forget(prefix) {
      batch.forget.push(prefix)
    },
    flush,
    async count(table) {
      await flush()
      try {
        return await destination.count(table)
      } catch (error) {
        failure = { error }
        throw error
      }
    },
    failure: () => failure,
  }
}

type Batch = {
  steps: (Step | { kind: 'write'; table: Table; pages: TablePage[] })[]
  forget: string[]
  checkpoints: Set<CheckpointSource>
  records: number
  bytes: number
}

function emptyBatch(): Batch {
  return { steps: [], forget: [], checkpoints: new Set(), records: 0, bytes: 0 }
}

function isEmpty({ steps, forget, checkpoints }: Batch): boolean {
  return steps.length === 0 && forget.length === 0 && checkpoints.size === 0
}

/** Consecutive pages of one table are one step. */
function addPage(batch: Batch, table: Table, page: TablePage): void {
  batch.records += page.records.length
  if (page.records.length === 0) return
  const last = batch.steps.at(-1)
  if (last?.kind === 'write' && last.table === table) (last.pages as TablePage[]).push(page)
  else batch.steps.push({ kind: 'write', table, pages: [page] })
}

/** Makes the checkpoint strings now, so that they cover exactly the pages of this batch. */
function seal({ steps, forget, checkpoints }: Batch): Commit {
  const own = [...checkpoints].filter(({ isShared }) => !isShared)
  return { steps, forget, notes: new Map(own.map((one) => [one.key, one.text()])) }
}
