/** Syncs round after round, killed again and again; what lands is compared with what lands in peace. */
import assert from 'node:assert/strict'
import { destinationAt } from 'turnleaf'
import type { RunNote } from '../../src/sync/notes.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { compareTables, isSame, type Tables, withoutRuns, withoutTimes } from './compare.ts'
import { diceOf } from './dice.ts'
import { drawMoment, momentText } from './kill-moment.ts'
import type { Place, PlaceKind } from './places/place.ts'
import { runProcess } from './run-process.ts'
import { publishedTables, streamNames } from './streams.ts'
import { type Phase, runTask, type Task } from './task.ts'
import { timeOfRound, worldOf } from './world.ts'

export type Survival = {
  kills: number
  /** What the process was doing when it was killed. */
  readonly hits: Record<Phase, number>
  rounds: number
  /** Looks at tables that are replaced, between the kills and during the syncs. */
  looks: number
  rows: number
  lost: number
  doubled: number
  /** What was wrong, in words; with the moments of the kills before it. */
  readonly faults: string[]
}

export type SurvivalOptions = {
  readonly seed: number
  readonly kills: number
  /** Told how far it has come. */
  readonly onRound?: (text: string) => void
}

export async function survive(kind: PlaceKind, { seed, kills, onRound }: SurvivalOptions): Promise<Survival> {
  const dice = diceOf(seed)
  const survival: Survival = {
    kills: 0,
    hits: { starting: 0, reading: 0, committing: 0, publishing: 0, closing: 0, over: 0 },
    rounds: 0,
    looks: 0,
    rows: 0,
    lost: 0,
    doubled: 0,
    faults: [],
  }
  let onRequest = () => {}
  await using api = await serveApi(
    slowly(
      worldOf(() => survival.rounds),
      () => onRequest(),
    ),
  )
  await using reference = await kind.make()
  await using place = await kind.make()
  const taskFor = ({ address }: Place): Task => ({
    url: api.url,
    to: address,
    clock: { time: timeOfRound(survival.rounds), setAt: Date.now() },
  })

  let before: Tables = new Map()
  // Two rounds at least: what a sync finds there is part of what it must survive.
  while (survival.kills < kills || survival.rounds < 2) {
    survival.rounds++
    const wanted = survival.rounds === 1 ? Math.ceil(kills / 2) : kills
    assert.equal((await runTask(taskFor(reference))).ending, 'complete')
    const expected = await reference.read(streamNames)
    const look = lookAt(place, before, expected, survival)
    const task = taskFor(place)
    const moments: string[] = []
    do {
      const moment = survival.kills < wanted ? drawMoment(dice) : null
      const looks: Promise<void>[] = []
      const end = await runProcess(task, moment, {
        onRequest: (listener) => (onRequest = listener),
        onPhase: (phase) => phase === 'publishing' && kind.isShared && looks.push(look()),
      })
      await Promise.all(looks)
      if (!end.isKilled) assert.equal(end.exitCode, 0, `a sync that nobody killed failed:\n${end.stderr}`)
      else {
        survival.kills++
        survival.hits[end.phase]++
        moments.push(`${momentText(moment as NonNullable<typeof moment>)}: ${end.phase}`)
      }
      await look()
    } while (!(await isOver(place, survival.rounds)))

    const difference = compareTables(withoutTimes(await place.read(streamNames)), withoutTimes(expected))
    survival.rows += difference.rows
    survival.lost += difference.lost.length
    survival.doubled += difference.doubled.length
    if (!isSame(difference)) survival.faults.push(faultText(survival.rounds, moments, difference))
    before = expected
    onRound?.(`${survival.kills} kills, ${survival.rounds} syncs that ended, ${survival.rows} rows compared`)
  }
  return survival
}

/** A few milliseconds for an answer: time to be killed in. */
function slowly(routes: ReturnType<typeof worldOf>, onRequest: () => void): ReturnType<typeof worldOf> {
  const slow = Object.entries(routes).map(([route, answer]): [string, typeof answer] => [
    route,
    async (query, request) => {
      onRequest()
      await new Promise((resolve) => setTimeout(resolve, 3))
      return await answer(query, request)
    },
  ])
  return Object.fromEntries(slow)
}

/** Whoever looks at a table that is replaced sees it as it was before, or as it will be, and nothing in between. */
function lookAt(place: Place, before: Tables, after: Tables, survival: Survival): () => Promise<void> {
  const [old, next] = [withoutRuns(before), withoutRuns(after)]
  return async () => {
    const seen = withoutRuns(await place.read(publishedTables))
    survival.looks++
    for (const name of publishedTables) {
      const only = (tables: Tables) => new Map([...tables].filter(([one]) => one === name))
      const isWhole = [old, next].some((tables) => isSame(compareTables(only(seen), only(tables))))
      if (!isWhole)
        survival.faults.push(`round ${survival.rounds}: a reader saw ${name} half: ${seen.get(name)?.rows.length} rows`)
    }
  }
}

/** Whether the run of this round has come to its end: the next sync would be a new one. */
async function isOver({ address }: Place, round: number): Promise<boolean> {
  const notes = (await destinationAt(address).inspect?.('run/')) ?? []
  const runs = notes.map(({ text }) => JSON.parse(text) as RunNote)
  return runs.length === round && runs.every(({ endedAt }) => endedAt !== null)
}

function faultText(round: number, moments: readonly string[], difference: ReturnType<typeof compareTables>): string {
  const { lost, doubled, columns } = difference
  return [
    `round ${round}: ${lost.length} lost, ${doubled.length} doubled, ${columns.length} tables with other columns`,
    ...moments.map((moment) => `  killed ${moment}`),
    ...lost.slice(0, 3).map((row) => `  lost ${row}`),
    ...doubled.slice(0, 3).map((row) => `  doubled ${row}`),
    ...columns.map((text) => `  ${text}`),
  ].join('\n')
}
