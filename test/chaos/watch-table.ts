/** A reader of a table that is being replaced sees the old or the new one, nothing in between. */
import { compareTables, isSame, type Tables, withoutRuns } from './compare.ts'
import type { Place } from './places/place.ts'
import { publishedTables } from './streams.ts'
import type { Survival } from './survival.ts'

/** @returns looks once, and notes what it should not have seen */
export function watcherOf(place: Place, before: Tables, after: Tables, survival: Survival): () => Promise<void> {
  const wholes = [withoutRuns(before), withoutRuns(after)]
  return async () => {
    const seen = withoutRuns(await place.read(publishedTables))
    survival.looks++
    for (const name of publishedTables) {
      const isWhole = wholes.some((tables) => isSame(compareTables(only(name, seen), only(name, tables))))
      const rows = seen.get(name)?.rows.length ?? 'no'
      if (!isWhole) survival.faults.push(`sync ${survival.rounds}: a reader saw ${name} half, with ${rows} rows`)
    }
  }
}

function only(name: string, tables: Tables): Tables {
  return new Map([...tables].filter(([one]) => one === name))
}
