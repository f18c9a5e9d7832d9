/** A port from an option, the environment or the default → a server that listens there. */
import { ConnectorError, hasCode } from '../std/errors.ts'
import { type Listening, listen } from '../site/listen.ts'
import { isPort } from './arguments.ts'
import { say } from './terminal/print.ts'

export type PortChoice = {
  /** Shown to people. */
  readonly name: string
  readonly host: string
  /** From an option. */
  readonly asked: number | undefined
  readonly variable: string
  readonly usual: number
}

/** Site, API and lab: a search for a free port skips the defaults of the others. */
const usualPorts = [8080, 8081, 8082]
const nextPorts = 20

/** A port that was given is used or fails; otherwise the first free one from the default on. */
export async function openPort({ name, host, asked, variable, usual }: PortChoice): Promise<Listening> {
  const wanted = asked ?? portFromEnvironment(variable)
  if (wanted !== undefined) return listen({ host, port: wanted })
  const others = Array.from({ length: nextPorts }, (_, index) => usual + 1 + index)
  for (const port of [usual, ...others.filter((other) => !usualPorts.includes(other))]) {
    const listening = await listen({ host, port }).catch(unlessTaken)
    if (listening === null) continue
    if (port !== usual) say(`Port ${usual} is taken; the ${name} uses ${port}.`)
    return listening
  }
  throw new ConnectorError('site/port-taken', `Port ${usual} on ${host} and the ports after it are taken.`)
}

function unlessTaken(error: unknown): null {
  if (hasCode(error, 'site/port-taken')) return null
  throw error
}

export function portFromEnvironment(variable: string): number | undefined {
  const text = process.env[variable]
  if (text === undefined || text === '') return undefined
  if (isPort(text)) return Number(text)
  throw new ConnectorError('cli/arguments', `${variable} is \`${text}\`, not a port.`, {
    hint: 'Set it to a number from 0 to 65535.',
  })
}
