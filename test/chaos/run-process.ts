/** A sync in a process of its own, killed at the moment that was drawn, unless it ends before. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { KillMoment } from './kill-moment.ts'
import type { Phase, Task } from './task.ts'

export type ProcessEnd = {
  /** What it did last. */
  readonly phase: Phase
  readonly isKilled: boolean
  readonly exitCode: number | null
  readonly stderr: string
}

export type ProcessOptions = {
  readonly moment?: KillMoment | null
  /** To be called for every request that the API sees. */
  readonly onRequest?: (listener: () => void) => void
  readonly onPhase?: (phase: Phase) => void
  /** What the shell says before it becomes the process: limits. */
  readonly shell?: string
  /** What runs it: `obeyingPermissions`. */
  readonly through?: readonly string[]
}

/** What is run. */
export const program = fileURLToPath(new URL('./sync-process.js', import.meta.url))

export async function runProcess(task: Task, options: ProcessOptions = {}): Promise<ProcessEnd> {
  const { moment = null, onRequest, onPhase, shell = '', through = [] } = options
  const command = ['-c', `${shell}\nexec "$@"`, 'sh', ...through, process.execPath, program, JSON.stringify(task)]
  const child = spawn('sh', command, { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  let timer: NodeJS.Timeout | undefined
  let left = moment?.count ?? Infinity
  const seen = (what: KillMoment['on'] | Phase) => {
    if (moment?.on !== what || --left !== 0) return
    if (moment.waitMs === 0) child.kill('SIGKILL')
    else timer = setTimeout(() => child.kill('SIGKILL'), moment.waitMs)
  }

  let phase: Phase = 'starting'
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    phase = line as Phase
    seen(phase)
    onPhase?.(phase)
  })
  onRequest?.(() => seen('request'))
  seen('start')
  const [[exitCode, signal]] = (await Promise.all([exited, once(lines, 'close')])) as [
    [number | null, string | null],
    unknown,
  ]
  clearTimeout(timer)
  return { phase, isKilled: signal === 'SIGKILL', exitCode, stderr }
}
