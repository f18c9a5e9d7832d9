/** `turnleaf lab` */
import { ConnectorError } from '../errors.ts'
import { dialects } from '../lab/dialects.ts'
import { type Lab, startLab } from '../lab/lab.ts'
import { isPort } from './arguments.ts'
import { interrupted, listenForInterrupt } from './interrupt.ts'
import { colours, row, say } from './print.ts'

export type LabCommandOptions = { readonly port?: number; readonly size?: number }

/** Where the lab's own manifest expects it. */
export const usualPort = 8082

/** Where the lab looks for a free port once its usual one is taken. */
const nextPorts = 20

export async function runLab(given: LabCommandOptions): Promise<number> {
  const { signal } = listenForInterrupt()
  await using lab = await openLab(given)
  say(`The lab is open at ${colours.bold(lab.url)}. Ctrl-C closes it.\n`)
  const columns = [{ width: 5 }, { width: width(({ path }) => path) }, { width: width(({ kind }) => kind) }]
  for (const { method, path, kind, parameters } of dialects)
    say(row(columns, [method, path, kind, parameters.join(', ')]))
  process.stdout.write(`${lab.url}\n`)
  await interrupted(signal)
  return 0
}

/** A port that was asked for must be had; the usual one may be any near it. */
export async function openLab({ port, size }: LabCommandOptions): Promise<Lab> {
  const asked = port ?? portFromEnvironment()
  const options = size === undefined ? {} : { size }
  if (asked !== undefined) return startLab({ ...options, port: asked })
  for (let tried = usualPort; ; tried++) {
    try {
      const lab = await startLab({ ...options, port: tried })
      if (tried > usualPort) say(`Port ${usualPort} is taken; the lab uses ${tried}.`)
      return lab
    } catch (error) {
      const isTaken = error instanceof ConnectorError && error.code === 'lab/port-taken'
      if (!isTaken || tried >= usualPort + nextPorts) throw error
    }
  }
}

function portFromEnvironment(): number | undefined {
  const text = process.env.TURNLEAF_LAB_PORT
  if (text === undefined || text === '') return undefined
  if (isPort(text)) return Number(text)
  throw new ConnectorError('cli/arguments', `TURNLEAF_LAB_PORT is \`${text}\`, not a port.`, {
    hint: 'Set it to a number from 0 to 65535.',
  })
}

function width(textOf: (dialect: (typeof dialects)[number]) => string): number {
  return Math.max(...dialects.map((dialect) => textOf(dialect).length))
}
