/** Polls the disk → which connectors were changed or deleted by other programs. */
import type { ConnectorFolders } from './folders.ts'
import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { manifestNames } from '../../connector/load-manifest.ts'
import { type FSWatcher, watch } from 'node:fs'

type ChangePoll = {
  /** Records the current state; later differences are changes. */
  start(): Promise<void>
  /** `changing` while a file is being written: it is checked again soon. */
  check(): Promise<'stable' | 'changing'>
}

/**
 * @param onChange receives the name of a connector that was changed or deleted.
 */
export function pollChanges(folders: ConnectorFolders, onChange: (name: string) => Promise<void>): ChangePoll {
  let reported: Map<string, string> = new Map()
  let last: Stamps = reported

  return {
    async start() {
      last = await stampsOf(folders)
      reported = new Map(last)
    },

    async check() {
      const now = await stampsOf(folders)
      let result: 'stable' | 'changing' = 'stable'
      for (const name of new Set([...reported.keys(), ...now.keys()])) {
        const stamp = now.get(name)
        if (stamp === reported.get(name)) continue
        // Editors truncate a file before they write it, or move it away before they replace it.
        if (stamp !== last.get(name)) result = 'changing'
        else {
          if (stamp === undefined) reported.delete(name)
          else reported.set(name, stamp)
          await onChange(name)
        }
      }
      last = now
      return result
    },
  }
}

type Stamps = ReadonlyMap<string, string>

/** A stamp for each manifest, which changes when the file does; nothing is read for it. One that is not accessible has none, as if it were deleted. */
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
    // ctime: the modification time can be set back.
    if (found?.isFile()) return [file, found.ino, found.ctimeMs, found.size].join(' ')
  }
  return null
}

const afterHintMs = 50
const whileChangingMs = 100
/** The system reports no changes on network drives, in some containers, and where too many files are watched. */
const intervalMs = 2000

export type Watch = {
  /** Resolves once no change is missed. */
  readonly ready: Promise<void>
  readonly end: () => void
}

/**
 * @param paths the folders to watch; read again after each check, since folders come and go.
 */
export function watchFolders(paths: () => Promise<readonly string[]>, poll: ChangePoll): Watch {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let isChecking = false
  let isHinted = false
  let isEnded = false

  function wait(waitMs: number): void {
    clearTimeout(timer)
    if (!isEnded) timer = setTimeout(() => void check(), waitMs)
  }

  function hint(): void {
    if (isChecking) isHinted = true
    else wait(afterHintMs)
  }

  async function check(): Promise<void> {
    isChecking = true
    isHinted = false
    // A disk that cannot be read now may be available again soon.
    const result = await poll.check().catch(() => 'stable' as const)
    refresh(await paths().catch(() => []))
    isChecking = false
    if (result === 'changing') wait(whileChangingMs)
    else wait(isHinted ? afterHintMs : intervalMs)
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
        // The folder itself was deleted; a new one of the same name needs a new watcher.
        if (name === basename(path)) drop(path)
        hint()
      })
      watcher.on('error', () => drop(path))
      watchers.set(path, watcher)
    } catch {
      // The folder is still polled.
    }
  }

  const ready = poll.start().catch(() => {})
  void ready.then(check)
  return {
    ready,
    end() {
      isEnded = true
      clearTimeout(timer)
      refresh([])
    },
  }
}
