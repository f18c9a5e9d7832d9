/** The process that holds a lock → what to do about it, where it is paused. */
import { readFileSync } from 'node:fs'
import { ConnectorError } from '../std/errors.ts'

/**
 * A process that is paused keeps its file open, and may continue in the middle of a write: nothing can take its place safely
 * before it ends.
 *
 * @param inUse what the holder has: `jsonl:out is in use by process 12 since …`.
 * @param pid null where it is not known, or not on this machine.
 */
export function heldBy(inUse: string, pid: number | null, cause?: unknown): ConnectorError {
  if (pid === null || !isPaused(pid)) return new ConnectorError('destinations/busy', `${inUse}.`, { cause })
  return new ConnectorError('destinations/busy', `${inUse}. That process is paused.`, {
    cause,
    hint: `Continue it with \`kill -CONT ${pid}\`, or end it with \`kill -KILL ${pid}\`; then run again: the sync resumes from the last commit.`,
  })
}

/** The state of a process is the third field of proc_pid_stat(5), after its name in brackets. Elsewhere than on Linux it is not known. */
function isPaused(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return /^[Tt]$/.test(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] ?? '')
  } catch {
    return false
  }
}
