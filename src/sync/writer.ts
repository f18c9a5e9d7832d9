/** Pages → commits: large enough to be fast, small enough to lose little, one at a time while the next one fills. */
import type { Commit, LandedPage, OpenDestination, Step, Table, TableRows } from '../destinations/destination.ts'

/** What can say in a note how far it has come, once the commit that it belongs to is sealed. */
export type Noted = { readonly key: string; text(): string }

export type Writer = {
  /** Waits while the destination is behind: whoever reads then asks for no more pages. */
  write(table: Table, page: LandedPage, bytes: number, noted: Noted): Promise<void>
  /** Puts a step behind what is written so far. */
  step(step: Step): void
  /** Puts a note into the commit that comes next. */
  note(noted: Noted): void
  /** Drops the notes whose keys start so, with the commit that comes next. */
  forget(prefix: string): void
  /** Commits what there is, and waits for it. */
  flush(): Promise<void>
  /** How many rows there are now; null where the destination does not count. */
  count(table: Table): Promise<TableRows | null>
  /** Why the destination took no more; null while it does. */
  failure(): { readonly error: unknown } | null
}

/** Measured: DuckDB lands a sixth as many records when it commits every hundred. */
const fullAt = { records: 5000, bytes: 8 << 20, afterMs: 1000 }

export function openWriter(destination: OpenDestination, now: () => number, onCommit: () => void): Writer {
  let batch = emptyBatch()
  let committing: Promise<void> | null = null
  let failure: { readonly error: unknown } | null = null
  let lastAt = now()

  const settled = async () => {
    await committing
    if (failure !== null) throw failure.error
  }
  const land = async (sealed: Commit) => {
    try {
      await destination.commit(sealed)
      committing = null
      onCommit()
    } catch (error) {
      failure = { error }
    }
  }
  const commit = async () => {
    await settled()
    const sealed = seal(batch)
    batch = emptyBatch()
    lastAt = now()
    committing = land(sealed)
  }

  const flush = async () => {
    if (!isEmpty(batch)) await commit()
    await settled()
  }

  return {
    async write(table, page, bytes, noted) {
      addPage(batch, table, page)
      batch.bytes += bytes
      batch.noted.add(noted)
      const isFull = batch.records >= fullAt.records || batch.bytes >= fullAt.bytes
      const isDue = committing === null && now() - lastAt >= fullAt.afterMs
      if (isFull || isDue) await commit()
    },
    step(step) {
      batch.steps.push(step)
    },
    note(noted) {
      batch.noted.add(noted)
    },
    forget(prefix) {
      batch.forget.push(prefix)
    },
    flush,
    async count(table) {
      await flush()
      try {
        return (await destination.count?.(table)) ?? null
      } catch (error) {
        failure = { error }
        throw error
      }
    },
    failure: () => failure,
  }
}

type Batch = {
  steps: (Step | { kind: 'write'; table: Table; pages: LandedPage[] })[]
  forget: string[]
  noted: Set<Noted>
  records: number
  bytes: number
}

function emptyBatch(): Batch {
  return { steps: [], forget: [], noted: new Set(), records: 0, bytes: 0 }
}

function isEmpty({ steps, forget, noted }: Batch): boolean {
  return steps.length === 0 && forget.length === 0 && noted.size === 0
}

/** Pages of one table that follow each other are one step. */
function addPage(batch: Batch, table: Table, page: LandedPage): void {
  batch.records += page.records.length
  if (page.records.length === 0) return
  const last = batch.steps.at(-1)
  if (last?.kind === 'write' && last.table === table) (last.pages as LandedPage[]).push(page)
  else batch.steps.push({ kind: 'write', table, pages: [page] })
}

/** Everything added so far is in the batch, so what is noted says how far exactly these pages go. */
function seal({ steps, forget, noted }: Batch): Commit {
  return { steps, forget, notes: new Map([...noted].map((one) => [one.key, one.text()])) }
}
