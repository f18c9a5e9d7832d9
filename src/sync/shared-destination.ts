/** One destination for several streams at a time: what they ask of it happens one after the other. */
import type { Commit, OpenDestination, Table, TableRows } from '../destinations/destination.ts'
import { concernsOneStream } from '../destinations/refused-data.ts'

/** A checkpoint whose text is made when its commit is sealed. */
export type CheckpointSource = {
  readonly key: string
  text(): string
  /** Several streams write this one: its text is made when the commit begins, and so covers the commits before it. */
  readonly isShared?: true
  /** Called once the commit is done. */
  onCommit?(): void
}

export type SharedDestination = {
  notes(prefix: string): Promise<ReadonlyMap<string, string>>
  /** `shared`: checkpoints that other streams write, too. */
  commit(commit: Commit, shared?: readonly CheckpointSource[]): Promise<void>
  /** Null where the destination does not count. */
  count(table: Table): Promise<TableRows | null>
  /** False where the destination does not know. */
  isGone(stream: string): Promise<boolean>
  /** False where the destination does not know. */
  isStagedGone(stream: string): Promise<boolean>
  /** Nothing where the destination does not know before a commit. */
  check(table: Table): Promise<void>
}

export function shareDestination(opened: OpenDestination): SharedDestination {
  let last: Promise<unknown> = Promise.resolve()
  let broken: { readonly error: unknown } | null = null
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => {
      if (broken !== null) throw broken.error
      return work()
    })
    last = turn.catch(() => {})
    return turn
  }
  /** After a failure it is unknown what was written: what another stream wrote next might contradict it. */
  const commitOrBreak = async (commit: Commit) => {
    try {
      await opened.commit(commit)
    } catch (error) {
      if (!concernsOneStream(error)) broken = { error }
      throw error
    }
  }
  return {
    notes: (prefix) => inTurn(() => opened.notes(prefix)),
    commit: (commit, shared = []) =>
      inTurn(async () => {
        const notes = new Map([...commit.notes, ...shared.map((one) => [one.key, one.text()] as const)])
        await commitOrBreak({ ...commit, notes })
        for (const one of shared) one.onCommit?.()
      }),
    count: (table) => inTurn(async () => (await opened.count?.(table)) ?? null),
    isGone: (stream) => inTurn(async () => (await opened.isGone?.(stream)) ?? false),
    isStagedGone: (stream) => inTurn(async () => (await opened.isStagedGone?.(stream)) ?? false),
    check: (table) => inTurn(async () => await opened.check?.(table)),
  }
}
