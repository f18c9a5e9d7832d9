/** The runs of a connection: which one goes on, and what is kept about it. */
import type { Commit, OpenDestination } from '../destinations/destination.ts'
import { type ConnectionNote, noteKeys, readNote, readRun, type RunNote, writeNote } from './checkpoints.ts'
import { staleAfterMs } from './reading.ts'
import type { StreamReceipt } from './receipt.ts'
import type { Noted } from './writer.ts'

export type RunBook = {
  readonly name: string
  /** Whether it was interrupted and goes on. */
  readonly continues: boolean
  /** Whether the last sync of the connection read with another config, secrets aside. */
  readonly isOtherConfig: boolean
  /** What it says of streams that it read whole before it was interrupted. */
  readonly receipts: readonly StreamReceipt[]
  /** The note with one more receipt, for the commit that ends a stream. */
  noteWith(receipt: StreamReceipt): Noted
  /** Every stream was tried. */
  end(receipts: readonly StreamReceipt[]): Promise<void>
}

/** A sync every hour leaves the receipts of three weeks. */
const mostRuns = 500

export type RunInput = {
  readonly now: () => number
  readonly random: () => number
  readonly configMark: string
  readonly manifestMark: string
  readonly isFresh: boolean
}

export async function openRunBook(destination: OpenDestination, input: RunInput): Promise<RunBook> {
  const { now, configMark, manifestMark: manifest } = input
  const known = (await destination.notes(noteKeys.connection)).get(noteKeys.connection)
  const isOtherConfig = known !== undefined && (readNote(known) as ConnectionNote).config !== configMark
  const runs = await pastRuns(destination)
  const last = runs[0] ?? null
  const isSame = last !== null && last.manifest === manifest && !isOtherConfig
  const continues = isSame && !input.isFresh && isInterrupted(last, now())
  const begun: RunNote = continues
    ? { ...last, attempts: last.attempts + 1 }
    : { run: runName(now(), input.random), startedAt: now(), endedAt: null, attempts: 1, manifest, streams: [] }
  let note = begun

  const commit = (notes: Commit['notes'], forget: readonly string[] = []) =>
    destination.commit({ steps: [], forget, notes })
  await commit(
    new Map([
      [noteKeys.connection, writeNote({ config: configMark })],
      [noteKeys.run(note.run), writeNote(note)],
    ]),
    runs.slice(mostRuns).map(({ run }) => noteKeys.run(run)),
  )
  return {
    name: note.run,
    continues,
    isOtherConfig,
    receipts: begun.streams,
    noteWith(receipt) {
      const others = note.streams.filter(({ stream }) => stream !== receipt.stream)
      note = { ...note, streams: [...others, receipt] }
      const text = writeNote(note)
      return { key: noteKeys.run(note.run), text: () => text }
    },
    async end(receipts) {
      // Those of an earlier attempt that were not chosen this time.
      const others = note.streams.filter(({ stream }) => !receipts.some((one) => one.stream === stream))
      note = { ...note, endedAt: now(), streams: [...others, ...receipts] }
      await commit(new Map([[noteKeys.run(note.run), writeNote(note)]]))
    },
  }
}

function isInterrupted({ endedAt, startedAt }: RunNote, now: number): boolean {
  return endedAt === null && now - startedAt < staleAfterMs
}

/** Newest first. */
async function pastRuns(destination: OpenDestination): Promise<readonly RunNote[]> {
  const notes = await destination.notes(noteKeys.run(''))
  const runs = [...notes.values()].map((text) => readRun(text))
  return runs.toSorted((one, other) => other.startedAt - one.startedAt || (other.run > one.run ? 1 : -1))
}

/** `20261115T081700Z-3f9a`: sorts by time, and two that begin in the same second differ. */
function runName(now: number, random: () => number): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return `${time}-${Math.floor(random() * 0x10000)
    .toString(16)
    .padStart(4, '0')}`
}
