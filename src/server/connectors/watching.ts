/**
 * When to look at the disk: as soon as the system says that something happened, and every now and then. The system
 * stays silent on network drives, in some containers, and where too many files are watched already.
 */
import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'
import type { Look } from './poll-changes.ts'

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
