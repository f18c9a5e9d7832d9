/** Commands → processes that are kept for the next one, as many as run at the same time. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { v8Options } from '../helpers/v8-options.ts'
import type { Ran } from './run-cli.ts'

/** `end` is what is written after everything else, on both pipes. */
export type Command = { args: readonly string[]; env: NodeJS.ProcessEnv; cwd: string; end: string }

const idle: ChildProcess[] = []

export async function runWarm(given: Omit<Command, 'end'>): Promise<Ran> {
  const child =
    idle.pop() ??
    fork(new URL('warm-cli.js', import.meta.url), { execArgv: v8Options, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  hold(child)
  const command: Command = { ...given, end: randomUUID() }
  const output = Promise.all([child.stdout, child.stderr].map((pipe) => textUntil(pipe as Socket, command.end)))
  const code = codeOf(child)
  child.send(command)
  const [[stdout = '', stderr = ''], ended] = await Promise.all([output, code])
  if (child.connected) release(child)
  return { code: ended, stdout, stderr }
}

/** What it returned; or, where it has ended the process, how that ended. */
function codeOf(child: ChildProcess): Promise<Ran['code']> {
  return new Promise((resolve, reject) => {
    const onMessage = ({ code }: { code: number }) => done(code)
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => done(signal ?? code ?? 1)
    const done = (code: Ran['code']) => {
      child.off('message', onMessage).off('exit', onExit).off('error', reject)
      resolve(code)
    }
    child.on('message', onMessage).on('exit', onExit).on('error', reject)
  })
}

function textUntil(pipe: Socket, end: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const onData = (more: string) => {
      text += more
      if (text.endsWith(end)) done()
    }
    const done = () => {
      pipe.off('data', onData).off('close', done)
      resolve(text.endsWith(end) ? text.slice(0, -end.length) : text)
    }
    pipe.setEncoding('utf8').on('data', onData).on('close', done)
  })
}

/** Tests wait for it only while it runs a command; it ends with the process of the tests. */
function release(child: ChildProcess): void {
  for (const one of [child, child.channel, child.stdout as Socket, child.stderr as Socket]) one?.unref()
  idle.push(child)
}

function hold(child: ChildProcess): void {
  for (const one of [child, child.channel, child.stdout as Socket, child.stderr as Socket]) one?.ref()
}
