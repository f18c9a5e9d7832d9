/** The destinations that were chosen for a connector. Those without a password are kept in a file, others in memory. */
import { isList } from '../../std/values/objects.ts'
import { openStateFile } from '../state-file.ts'

export type Chosen = {
  /** As they were given, newest first. */
  readonly of: (connector: string) => readonly string[]
  /** @param written null where it may hold a password. */
  readonly add: (connector: string, to: string, written: string | null) => void
}

/** Of each connector: older ones are forgotten, their rows stay. */
const mostChosen = 8

export function openChosen(home: string): Chosen {
  const file = openStateFile(home, 'destinations.json')
  const inMemory = new Map<string, readonly string[]>()
  const remember = (connector: string, to: string) =>
    inMemory.set(connector, newestFirst(to, inMemory.get(connector) ?? []))

  return {
    of: (connector) => [...(inMemory.get(connector) ?? []), ...storedOf(connector, file.read())],
    add(connector, to, written) {
      if (written === null) return void remember(connector, to)
      const all = file.read()
      const before = storedOf(connector, all)
      if (before[0] === written) return
      const isKept = file.write({ ...all, [connector]: newestFirst(written, before) })
      // Otherwise it is known until the server ends.
      if (!isKept) remember(connector, written)
    },
  }
}

function storedOf(connector: string, all: Readonly<Record<string, unknown>>): string[] {
  const found = Object.hasOwn(all, connector) ? all[connector] : []
  return isList(found) ? found.filter((one) => typeof one === 'string') : []
}

function newestFirst(one: string, others: readonly string[]): string[] {
  return [one, ...others.filter((other) => other !== one)].slice(0, mostChosen)
}
