/** Servers and measurements in processes of their own: neither takes time or memory from the other. */
import { spawn } from 'node:child_process'

export type Server = { readonly url: string; readonly stop: () => void }

/** @param program of `build/benchmarks/`; the first line it prints is where it listens. */
export async function startServer(program: string, ...args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, [`build/benchmarks/${program}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await new Promise<string>((resolve) => child.stdout?.once('data', (line) => resolve(String(line).trim())))
  return { url, stop: () => child.kill() }
}

/** What a measurement prints. It may collect garbage when it likes. */
export async function measureApart(program: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--expose-gc', `build/benchmarks/${program}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  return output.trim()
}
