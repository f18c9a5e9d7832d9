/** Looks at the disk again and again → which connectors were changed or deleted by somebody else. */
import type { ConnectorFolders } from './folders.ts'
import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { manifestNames } from '../../connector/manifest-names.ts'
import { type FSWatcher, watch } from 'node:fs'

type Look = {
  /** From here on, what is different is a change. */
  begin(): Promise<void>
  /** Whether everything is as it was a moment ago: a file that is just being written is looked at again. */
  again(): Promise<'settled' | 'moving'>
}

/**
 * @param tell the name of a connector that is not as it was; is it still there, and at which version?
 */
export function lookAt(folders: ConnectorFolders, tell: (name: string) => Promise<void>): Look {
  let told: Map<string, string> = new Map()
  let last: Stamps = told

  return {
    async begin() {
      last = await stampsOf(folders)
      told = new Map(last)
    },

    async again() {
      const now = await stampsOf(folders)
      let answer: 'settled' | 'moving' = 'settled'
      for (const name of new Set([...told.keys(), ...now.keys()])) {
        const stamp = now.get(name)
        if (stamp === told.get(name)) continue
        // Editors empty a file before they fill it, or move it away before the new one takes its place.
        if (stamp !== last.get(name)) answer = 'moving'
        else {
          if (stamp === undefined) told.delete(name)
          else told.set(name, stamp)
          await tell(name)
        }
      }
      last = now
      return answer
    },
  }
}

type Stamps = ReadonlyMap<string, string>

/** Connectors by name; one that cannot be looked at has no stamp, as if it were gone. */
export async function stampsOf(folders: ConnectorFolders): Promise<Stamps> {
  const { named } = await folders.list()
  const found = await Promise.all(named.map(async (name) => [name, await stampOf(folders, name)] as const))
  return new Map(found.flatMap(([name, stamp]) => (stamp === null ? [] : [[name, stamp]])))
}

async function stampOf(folders: ConnectorFolders, name: string): Promise<string | null> {
  const folder = await folders.find(name).catch(() => null)
  if (folder === null) return null
  for (const file of manifestNames) {
    const found = await lstat(join(folder, file)).catch(() => null)
    // The time of the last change of any kind: dates of contents can be set to what they were.
    if (found?.isFile()) return [file, found.ino, found.ctimeMs, found.size].join(' ')
  }
  return null
}

/** In milliseconds. */
const afterHint = 50
const whileMoving = 100
const anyway = 2000

export type Watch = {
  /** Fulfilled once no change is missed any more. */
  readonly ready: Promise<void>
  readonly end: () => void
}

/**
 * @param paths the folders worth watching; asked again after each look, since folders come and go.
 */
export function watchFolders(paths: () => Promise<readonly string[]>, look: Look): Watch {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isHinted = false
  let isEnded = false

  function wait(waitMs: number): void {
    clearTimeout(timer)
    if (!isEnded) timer = setTimeout(() => void turn(), waitMs)
  }

  function hint(): void {
    if (isLooking) isHinted = true
    else wait(afterHint)
  }

  async function turn(): Promise<void> {
    isLooking = true
    isHinted = false
    // A disk that cannot be read now may be back in a moment.
    const answer = await look.again().catch(() => 'settled' as const)
    refresh(await paths().catch(() => []))
    isLooking = false
    if (answer === 'moving') wait(whileMoving)
    else wait(isHinted ? afterHint : anyway)
  }

  function drop(path: string): void {
    watchers.get(path)?.close()
    watchers.delete(path)
  }

  function refresh(wanted: readonly string[]): void {
    for (const path of watchers.keys()) if (isEnded || !wanted.includes(path)) drop(path)
    for (const path of isEnded ? [] : wanted) if (!watchers.has(path)) add(path)
  }

  function add(path: string): void {
    try {
      const watcher = watch(path, { persistent: false }, (_kind, name) => {
        // The folder itself went away; one of the same name would be another.
        if (name === basename(path)) drop(path)
        hint()
      })
      watcher.on('error', () => drop(path))
      watchers.set(path, watcher)
    } catch {
      // Looked at anyway, if later.
    }
  }

  const ready = look.begin().catch(() => {})
  void ready.then(turn)
  return {
    ready,
    end() {
      isEnded = true
      clearTimeout(timer)
      refresh([])
    },
  }
}
