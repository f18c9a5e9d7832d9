/** The sync that is killed, and the same one uninterrupted. */
import { type Destination, destinationAt, loadManifest, type OpenDestination, sync, type SyncResult } from 'turnleaf'
import { type ClockStart, fastClock } from './fast-clock.ts'
import { manifestFor, modes } from './streams.ts'
import { timeOfRound } from './world.ts'

/** Plain JSON: it is handed to another process. */
export type Task = {
  readonly url: string
  readonly to: string
  readonly clock: ClockStart
  /** One stream after the other, one request at a time: requests can be counted. */
  readonly isOrdered?: true
}

/** The sync of a round, on the day on which that takes place. */
export function taskFor(url: string, to: string, round = 1): Task {
  return { url, to, clock: { time: timeOfRound(round), setAt: Date.now() } }
}

/** What a sync is doing, as far as it can be seen from outside. */
export type Phase = 'starting' | 'reading' | 'committing' | 'publishing' | 'closing' | 'over'

export async function runTask(
  { url, to, clock, isOrdered }: Task,
  onPhase: (phase: Phase) => void = () => {},
): Promise<SyncResult> {
  onPhase('starting')
  const result = await sync(loadManifest(manifestFor(url)), {
    to: watched(destinationAt(to), onPhase),
    connection: 'chaos',
    mode: modes,
    now: fastClock(clock),
    ...(isOrdered && { prefetch: 'off', streamsAtOnce: 1 }),
  })
  onPhase('over')
  return result
}

function watched(destination: Destination, onPhase: (phase: Phase) => void): Destination {
  const watch = (opened: OpenDestination): OpenDestination => ({
    notes: async (prefix) => await opened.notes(prefix),
    async commit(commit) {
      onPhase(commit.steps.some(({ kind }) => kind === 'publish') ? 'publishing' : 'committing')
      await opened.commit(commit)
      onPhase('reading')
    },
    async close() {
      onPhase('closing')
      await opened.close()
    },
  })
  return { address: destination.address, open: async (connection) => watch(await destination.open(connection)) }
}
