/** `turnleaf serve` on free ports, with a token and nothing else, in a folder that is deleted afterwards. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The description of an API with a token has the 401 of every operation. */
export const token = 'outside'

const program = resolve('bin/turnleaf.js')

export async function serve() {
  const folder = mkdtempSync(join(tmpdir(), 'turnleaf-outside-'))
  const child = spawn(
    process.execPath,
    [program, 'serve', '--no-read', '--site-port', '0', '--api-port', '0', '--lab-port', '0'],
    {
      cwd: folder,
      env: { ...process.env, TURNLEAF_HOME: folder, TURNLEAF_TOKEN: token },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const ended = once(child, 'exit')
  let words = ''
  const ready = new Promise((done) => {
    child.stderr.on('data', (chunk) => {
      words += chunk
      if (words.includes('Try in another terminal')) done()
    })
  })
  await Promise.race([
    ready,
    ended.then(() => {
      throw new Error(words)
    }),
  ])
  const address = (name) => new RegExp(`^${name} +(http://\\S+)`, 'm').exec(words)?.[1]
  return {
    site: address('site'),
    api: address('API'),
    mcp: address('MCP'),
    folder,
    program,
    /** Fails where the server ended by itself meanwhile. */
    async close() {
      const didRun = child.exitCode === null && child.signalCode === null
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
      if (!didRun) throw new Error(`The server ended before it was asked to:\n${words}`)
    },
  }
}
