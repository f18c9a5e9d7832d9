/** Arguments → the command line in a process, and what it wrote. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { v8Options } from '../helpers/v8-options.ts'
import { runWarm } from './warm-clis.ts'

/** The command line as it ships. */
export const cliProgram = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

export type Child = ChildProcessByStdio<Writable, Readable, Readable>
export type Given = { env?: Record<string, string>; input?: string; cwd?: string }
export type Ran = { code: number | NodeJS.Signals; stdout: string; stderr: string }

/** Starts it and gives back the process; `await using` ends it, whatever happened in between. */
export function startCli(args: readonly string[], given: Given = {}) {
  return startProgram(cliProgram, args, given)
}

/** The longest that the tests need a process for, those of chaos included. */
const longestMs = 300_000

/** As `startCli`: a program of the tests, or the command line of another version. */
export function startProgram(program: string, args: readonly string[], { env = {}, cwd }: Given = {}) {
  const child: Child = spawn(process.execPath, [...v8Options, program, ...args], {
    env: { ...inherited(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  // What waits for its end would otherwise wait for ever where it does not come.
  const limit = setTimeout(() => child.kill('SIGKILL'), longestMs).unref()
  // The name of the signal where one ended it.
  const ended = once(child, 'exit').then(([code, signal]) => {
    clearTimeout(limit)
    return (signal ?? code) as number | NodeJS.Signals
  })
  return {
    child,
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    },
  }
}

function inherited(): NodeJS.ProcessEnv {
  const { NO_COLOR: _none, FORCE_COLOR: _force, TURNLEAF_LAB_PORT: _port, ...others } = process.env
  const { TURNLEAF_TO: _to, TURNLEAF_HOME: _home, TURNLEAF_TOKEN: _token, ...rest } = others
  return rest
}

/**
 * Runs a command to its end, in a process that has run others before. `startCli` and `runProcess` are for what a process
 * does by itself: its exit code, signals, pipes, standard input.
 */
export function runCli(args: readonly string[], given: Given = {}): Promise<Ran> {
  const { env = {}, cwd = process.cwd() } = given
  if (given.input !== undefined) return runProcess(args, given)
  return runWarm({ args, env: { ...inherited(), ...env }, cwd })
}

/** Runs it to its end in a process of its own. */
export async function runProcess(args: readonly string[], given: Given = {}): Promise<Ran> {
  await using started = startCli(args, given)
  const { child, ended } = started
  child.stdin.end(given.input ?? '')
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

/** Waits until what the stream said so far contains the words; gives back everything said. */
export async function said(stream: Readable, words: string): Promise<string> {
  let heard = ''
  // A program that keeps running without saying them would hold up all tests.
  const giveUp = () => stream.destroy(new Error(`Nothing with ${words} came in a minute: ${heard}`))
  const limit = setTimeout(giveUp, 60_000)
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      heard += String(chunk)
      if (heard.includes(words)) return heard
    }
    throw new Error(`The stream ended without ${words}: ${heard}`)
  } finally {
    clearTimeout(limit)
  }
}

export type Line = { type: string } & Record<string, Record<string, unknown>>

/** The messages on standard output, one per line. */
export function messagesIn({ stdout }: { stdout: string }): Line[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

export function recordsIn(ran: { stdout: string }): unknown[] {
  return messagesIn(ran).flatMap(({ type, record }) => (type === 'RECORD' ? [record?.data] : []))
}

/** `orders STARTED`, in order. */
export function statusesIn(ran: { stdout: string }): string[] {
  return messagesIn(ran).flatMap(({ trace }) => {
    const status = trace?.stream_status as { stream_descriptor: { name: string }; status: string } | undefined
    return status === undefined ? [] : [`${status.stream_descriptor.name} ${status.status}`]
  })
}

/** `[stream, state, recordCount]`, in order. */
export function statesIn(ran: { stdout: string }): [string, unknown, number][] {
  return messagesIn(ran).flatMap(({ state }) => {
    if (state === undefined) return []
    const { stream_descriptor, stream_state } = state.stream as {
      stream_descriptor: { name: string }
      stream_state: unknown
    }
    return [[stream_descriptor.name, stream_state, (state.sourceStats as { recordCount: number }).recordCount]]
  })
}
