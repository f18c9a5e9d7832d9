/** The runs of a connection: the one to resume or a new one, and its checkpoint. */
import type { Commit } from '../destinations/destination.ts'
import {
  type ConnectionCheckpoint,
  checkpointKeys,
  parseCheckpoint,
  parseRunCheckpoint,
  type RunCheckpoint,
  checkpointText,
} from './checkpoints.ts'
import { staleAfterMs } from './choose-read.ts'
import type { StreamReceipt } from './receipt.ts'
import type { CheckpointSource, SharedDestination } from './shared-destination.ts'

export type OpenSyncRun = {
  readonly name: string
  /** Whether it resumes an interrupted run. */
  readonly continues: boolean
  /** Whether the last sync of the connection read with another config, secrets aside. */
  readonly isOtherConfig: boolean
  /** Receipts of the streams that it had read completely before it was interrupted. */
  readonly receipts: readonly StreamReceipt[]
  /** The checkpoint with one more receipt, for the commit that ends a stream. */
  checkpointWith(receipt: StreamReceipt): CheckpointSource
  /** Call when every stream was tried. */
  end(receipts: readonly StreamReceipt[]): Promise<void>
}

/** Three weeks of hourly syncs. */
const mostRuns = 500

export type RunInput = {
  readonly now: () => number
  readonly random: () => number
  readonly configMark: string
  readonly manifestMark: string
  readonly isFresh: boolean
  /** As in `SyncOptions`. */
  readonly freshStart: string | undefined
}

export async function openSyncRun(destination: SharedDestination, input: RunInput): Promise<OpenSyncRun> {
  const { now, configMark, manifestMark: manifest } = input
  const known = (await destination.notes(checkpointKeys.connection)).get(checkpointKeys.connection)
  const isOtherConfig = known !== undefined && (parseCheckpoint(known) as ConnectionCheckpoint).config !== configMark
  const runs = await pastRuns(destination)
  const last = runs[0] ?? null
  const isSame = last !== null && last.manifest === manifest && !isOtherConfig
  const { isFresh, freshStart } = input
  const isSameStart = freshStart !== undefined && last?.freshStart === freshStart
  // One that has ended, too: its process could not say so, and the next attempt would append every row again.
  const continues = isSame && (isSameStart || (!isFresh && last.endedAt === null)) && isRecent(last, now())
  const begun: RunCheckpoint = continues
    ? { ...last, endedAt: null, attempts: last.attempts + 1, ...(freshStart !== undefined && { freshStart }) }
    : {
        run: runName(now(), input.random),
        // After the last one, also where another machine with a clock that is ahead has begun that: the newest run is the one to resume.
        startedAt: Math.max(now(), (last?.startedAt ?? 0) + 1),
        endedAt: null,
        attempts: 1,
        manifest,
        streams: [],
        ...(freshStart !== undefined && { freshStart }),
      }
  let checkpoint = begun

  const commit = (notes: Commit['notes'], forget: readonly string[] = []) =>
    destination.commit({ steps: [], forget, notes })
  await commit(
    new Map([
      [checkpointKeys.connection, checkpointText({ config: configMark })],
      [checkpointKeys.run(checkpoint.run), checkpointText(checkpoint)],
    ]),
    runs.slice(mostRuns).map(({ run }) => checkpointKeys.run(run)),
  )
  return {
    name: checkpoint.run,
    continues,
    isOtherConfig,
    receipts: begun.streams,
    checkpointWith(receipt) {
      const withReceipt = (): RunCheckpoint => {
        const others = checkpoint.streams.filter(({ stream }) => stream !== receipt.stream)
        return { ...checkpoint, streams: [...others, receipt] }
      }
      return {
        key: checkpointKeys.run(checkpoint.run),
        isShared: true,
        text: () => checkpointText(withReceipt()),
        onCommit: () => {
          checkpoint = withReceipt()
        },
      }
    },
    async end(receipts) {
      // Keep receipts of an earlier attempt for streams that were not chosen this time.
      const others = checkpoint.streams.filter(({ stream }) => !receipts.some((one) => one.stream === stream))
      checkpoint = { ...checkpoint, endedAt: now(), streams: [...others, ...receipts] }
      await commit(new Map([[checkpointKeys.run(checkpoint.run), checkpointText(checkpoint)]]))
    },
  }
}

function isRecent({ startedAt }: RunCheckpoint, now: number): boolean {
  return now - startedAt < staleAfterMs
}

/** Newest first. */
async function pastRuns(destination: Pick<SharedDestination, 'notes'>): Promise<readonly RunCheckpoint[]> {
  const stored = await destination.notes(checkpointKeys.run(''))
  const runs = [...stored.values()].map((text) => parseRunCheckpoint(text))
  return runs.toSorted((one, other) => other.startedAt - one.startedAt || (other.run > one.run ? 1 : -1))
}

/** `20261115T081700Z-3f9a`: sorts by time; two that start in the same second differ. */
function runName(now: number, random: () => number): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return `${time}-${Math.floor(random() * 0x10000)
    .toString(16)
    .padStart(4, '0')}`
}
