/** One sync, killed again and again until it comes to its end. */
import { destinationAt } from 'turnleaf'
import type { RunCheckpoint } from '../../src/sync/checkpoints.ts'
import { type KillMoment, momentText } from './kill-moment.ts'
import type { Place, PlaceKind } from './places/place.ts'
import { runProcess } from './run-process.ts'
import type { Survival } from './survival.ts'
import type { Task } from './task.ts'

export type KilledSync = {
  readonly kind: PlaceKind
  readonly place: Place
  readonly task: Task
  readonly survival: Survival
  /** When to kill the process that is started next; null leaves it in peace. */
  readonly nextMoment: () => KillMoment | null
  readonly onRequest: (listener: () => void) => void
  readonly look: () => Promise<void>
}

/** When it was killed, in words; null where a process failed that was not killed. */
export async function syncKilled(sync: KilledSync): Promise<readonly string[] | null> {
  const { kind, place, task, survival, nextMoment, onRequest, look } = sync
  const killed: string[] = []
  do {
    const moment = nextMoment()
    const looks: Promise<void>[] = []
    const end = await runProcess(task, {
      moment,
      onRequest,
      onPhase: (phase) => phase === 'publishing' && kind.isShared && looks.push(look()),
    })
    await Promise.all(looks)
    if (end.isKilled && moment !== null) {
      survival.kills++
      survival.hits[end.phase]++
      killed.push(`killed ${momentText(moment)}: ${end.phase}`)
    } else if (end.exitCode !== 0) {
      const fault = [`sync ${survival.rounds}: a process failed that was not killed`, ...killed, end.stderr]
      survival.faults.push(fault.join('\n  '))
      return null
    }
    await look()
  } while (!(await isOver(place, survival.rounds)))
  return killed
}

/** Whether the run has come to its end: the next sync would be a new one, however this one was killed. */
async function isOver({ address }: Place, runCount: number): Promise<boolean> {
  const notes = (await destinationAt(address).inspect?.('run/')) ?? []
  const runs = notes.map(({ text }) => JSON.parse(text) as RunCheckpoint)
  return runs.length === runCount && runs.every(({ endedAt }) => endedAt !== null)
}
