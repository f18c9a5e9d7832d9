/** The keychain of the system, by the program that comes with it. What is kept goes through pipes, never through arguments. */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ConnectorError } from '../../std/errors.ts'

export type Keychain = {
  readonly set: (id: string, value: string) => Promise<void>
  /** Null where there is none, or the user refused. */
  readonly get: (id: string) => Promise<string | null>
  readonly remove: (id: string) => Promise<void>
}

/** Long enough to answer a question of the system. */
const patienceMs = 120_000

const service = 'turnleaf'

/** Null on systems without one. */
export function findKeychain(platform = process.platform, path = process.env.PATH ?? ''): Keychain | null {
  const program = programs[platform]
  if (program === undefined) return null
  const file = path
    .split(delimiter)
    .map((folder) => join(folder, program.name))
    .find(isProgram)
  return file === undefined ? null : checked(program.open((args, input) => runProgram(file, args, input)))
}

type Run = (args: readonly string[], input?: string) => Promise<{ readonly isDone: boolean; readonly output: string }>

type Program = { readonly name: string; readonly open: (run: Run) => Keychain }

const programs: Partial<Record<NodeJS.Platform, Program>> = {
  linux: {
    name: 'secret-tool',
    open: (run) => ({
      async set(id, value) {
        await run(['store', '--label=Turnleaf test configs', 'service', service, 'account', id], value)
      },
      async get(id) {
        const { isDone, output } = await run(['lookup', 'service', service, 'account', id])
        return isDone && output !== '' ? output : null
      },
      async remove(id) {
        await run(['clear', 'service', service, 'account', id])
      },
    }),
  },
  darwin: {
    name: 'security',
    open: (run) => ({
      // As a command on standard input: an argument could be seen by other users.
      async set(id, value) {
        await run(['-i'], `add-generic-password -U -s ${service} -a ${id} -w ${value}\n`)
      },
      async get(id) {
        const { isDone, output } = await run(['find-generic-password', '-s', service, '-a', id, '-w'])
        return isDone && output !== '' ? output : null
      },
      async remove(id) {
        await run(['delete-generic-password', '-s', service, '-a', id])
      },
    }),
  },
}

/** The programs report a refusal in different ways: what counts is whether the value is there. */
function checked(keychain: Keychain): Keychain {
  return {
    ...keychain,
    async set(id, value) {
      await keychain.set(id, value)
      if ((await keychain.get(id)) === value) return
      throw new ConnectorError('secrets/no-keychain', 'The keychain did not keep the key.')
    },
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function runProgram(file: string, args: readonly string[], input = ''): ReturnType<Run> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: patienceMs })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => void parts.push(part))
    child.on('error', () => resolve({ isDone: false, output: '' }))
    child.on('close', (code) => {
      resolve({
        isDone: code === 0,
        output: Buffer.concat(parts)
          .toString('utf8')
          .replace(/\r?\n$/, ''),
      })
    })
    // A program that does not read its input has ended: its exit code tells.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
