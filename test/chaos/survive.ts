/** Syncs that are killed again and again; the tables are compared with those of an uninterrupted sync. */
import { serveApi } from '../helpers/serve-api.ts'
import { compareTables, type Difference, isSame, type Tables, withoutTimes } from './compare.ts'
import { diceOf } from './dice.ts'
import { drawMoment } from './kill-moment.ts'
import { syncKilled } from './killed-sync.ts'
import { watcherOf } from './watch-table.ts'
import type { Place, PlaceKind } from './places/place.ts'
import { streamNames } from './streams.ts'
import { newSurvival, type Survival } from './survival.ts'
import { runTask, taskFor } from './task.ts'
import { slowly, worldOf } from './world.ts'

export type SurvivalOptions = {
  readonly seed: number
  readonly kills: number
  /** Called with its progress. */
  readonly onRound?: (text: string) => void
}

export async function survive(kind: PlaceKind, { seed, kills, onRound }: SurvivalOptions): Promise<Survival> {
  const dice = diceOf(seed)
  const survival = newSurvival()
  let onRequest = () => {}
  const world = worldOf(() => survival.rounds)
  await using api = await serveApi(slowly(world, () => onRequest()))
  await using reference = await kind.make()
  await using place = await kind.make()
  const task = ({ address }: Place) => taskFor(api.url, address, survival.rounds)

  let before: Tables = new Map()
  // Two rounds at least: what a sync finds there is part of what it must survive.
  while (survival.kills < kills || survival.rounds < 2) {
    survival.rounds++
    const killsSoFar = survival.rounds === 1 ? Math.ceil(kills / 2) : kills
    await runTask(task(reference))
    const expected = await reference.read(streamNames)
    const killed = await syncKilled({
      kind,
      place,
      survival,
      task: task(place),
      nextMoment: () => (survival.kills < killsSoFar ? drawMoment(dice) : null),
      onRequest: (listener) => (onRequest = listener),
      look: watcherOf(place, before, expected, survival),
    })
    if (killed === null) return survival
    const difference = compareTables(withoutTimes(await place.read(streamNames)), withoutTimes(expected))
    survival.rows += difference.rows
    survival.lost += difference.lost.length
    survival.doubled += difference.doubled.length
    if (!isSame(difference)) survival.faults.push(faultText(survival.rounds, killed, difference))
    before = expected
    onRound?.(`${survival.kills} kills, ${survival.rounds} syncs that ended, ${survival.rows} rows compared`)
  }
  return survival
}

function faultText(round: number, killed: readonly string[], { lost, doubled, columns }: Difference): string {
  return [
    `sync ${round}: ${lost.length} rows lost, ${doubled.length} doubled, ${columns.length} tables with other columns`,
    ...killed,
    ...lost.slice(0, 3).map((row) => `lost ${row}`),
    ...doubled.slice(0, 3).map((row) => `doubled ${row}`),
    ...columns,
  ].join('\n  ')
}
