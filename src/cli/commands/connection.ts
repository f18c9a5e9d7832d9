/** `turnleaf connection add | list | show | check | remove` */
import { addConnection, removeConnection } from '../../connections/add-connection.ts'
import { checkConnectionParts, type ConnectionCheck } from '../../connections/check-connection.ts'
import type { Connection } from '../../connections/connection.ts'
import {
  findConnection,
  homeFolder,
  listConnections,
  type ListedConnection,
  shownPath,
} from '../../connections/find-connection.ts'
import { connectionManifest } from '../../connections/open-connection.ts'
import { hidePassword, showConnection, type ShownConnection } from '../../connections/show-connection.ts'
import { forgetState } from '../../schedules/store.ts'
import type { Requirement } from '../../proof/verdict/verdict-name.ts'
import { stringifyJson } from '../../std/json.ts'
import { ConnectorError } from '../../std/errors.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { destinationAt } from '../../destinations/open-destination.ts'
import { addressFrom, type DestinationChoice, shellWord } from '../destination-address.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { exitCodeFor, reportError, withFailureReport } from '../report-error.ts'
import { colours, indentJson, noColours, oneLine, say, tableOf } from '../terminal/print.ts'
import { modesFrom } from './sync.ts'

type Json = { readonly json?: boolean }

type AddOptions = DestinationChoice &
  Json & {
    readonly connector: string
    readonly config?: string
    readonly stream?: readonly string[]
    readonly mode?: readonly string[]
    readonly require?: Requirement
  }

export function runConnectionAdd(name: string, given: AddOptions): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    const { connector, config, to, schema, stream: streams, require } = given
    const mode = writtenModes(given.mode)
    if (to !== undefined && !to.includes('${') && !to.startsWith('file:')) destinationAt(to)
    const home = homeFolder()
    const { connection, moved } = await addConnection(
      { name, connector, config, to, schema, streams, mode, require },
      home,
    )
    if (given.json) printJson(await shownConnection(connection, home))
    say(`Added ${connection.file}.`)
    for (const { field, reference } of moved) {
      const path = `${shownPath(connection.folder)}/${reference.slice('file:'.length)}`
      say(`\`${field}\` is a secret: it was moved to ${path}, which only you can read and git ignores.`)
    }
    say(`  check  npx turnleaf connection check ${shellWord(name)}`)
    say(`  sync   npx turnleaf sync ${shellWord(name)}`)
    return 0
  })
}

/** One mode for all streams is written as such. */
function writtenModes(given: readonly string[] | undefined) {
  const modes = Object.entries(modesFrom(given) ?? {}).map(([stream, mode]) => [stream, mode.replaceAll('_', '-')])
  if (modes.length === 0) return undefined
  const [[stream, mode] = []] = modes
  return modes.length === 1 && stream === '*' ? mode : Object.fromEntries(modes)
}

export async function runConnectionList({ json = false }: Json): Promise<number> {
  const home = homeFolder()
  const listed = await listConnections(home)
  if (json) {
    const lines = await Promise.all(listed.map((one) => listedJson(one, home)))
    process.stdout.write(lines.map((line) => `${stringifyJson(line)}\n`).join(''))
  } else if (listed.length > 0) {
    const rows = listed.map((one) => ('connection' in one ? rowOf(one.connection) : brokenRow(one)))
    process.stdout.write(
      `${tableOf(['name', 'connector', 'destination', 'streams'], rows, { paint: noColours }).join('\n')}\n`,
    )
  }
  if (listed.length === 0)
    say('There are no connections yet. Add one: npx turnleaf connection add NAME --connector NAME')
  return 0
}

function rowOf({ name, connector, destination, streams }: Connection): string[] {
  return [name, connector, destination === null ? 'default' : hidePassword(destination), streams?.join(', ') ?? 'all']
}

function brokenRow({ name, problem }: Extract<ListedConnection, { problem: unknown }>): string[] {
  return [name, '-', '-', `${problem.code}: ${oneLine(problem.message)}`]
}

async function listedJson(one: ListedConnection, home: string): Promise<object> {
  if ('problem' in one) return { name: one.name, problem: one.problem }
  const { text: _, ...shown } = await shownConnection(one.connection, home)
  return { ...shown, problem: null }
}

/** Without secrets: `text` is the file with each of them hidden. */
async function shownConnection(connection: Connection, home: string): Promise<ShownConnection> {
  // Without its manifest the names of the values decide what is a secret.
  const manifest = await connectionManifest(connection, home).catch((error: unknown) => {
    if (error instanceof ConnectorError) return null
    throw error
  })
  return showConnection(connection, manifest)
}

export async function runConnectionShow(name: string, { json = false }: Json): Promise<number> {
  const home = homeFolder()
  const { text, ...shown } = await shownConnection(await findConnection(name, home), home)
  if (json) printJson(shown)
  else process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  return 0
}

const checkNames: Readonly<Record<ConnectionCheck['check'], string>> = {
  references: 'references',
  connector: 'connector',
  api: 'API',
  destination: 'destination',
}

/** Exit code 0 where every part is fine; otherwise that of the first error. */
export function runConnectionCheck(name: string, { json = false }: Json): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    const home = homeFolder()
    const connection = await findConnection(name, home)
    const { signal, exitCode } = listenForInterrupt()
    const checks = await checkConnectionParts(connection, {
      home,
      defaultDestination: () => addressFrom(undefined),
      signal,
      warn: (text) => say(`${colours.yellow('warning')}: ${text}`),
    })
    if (json) printJson({ name: connection.name, isReady: checks.every(({ status }) => status === 'ok'), checks })
    else process.stdout.write(checks.map(sayCheck).join(''))
    const failures = checks.flatMap(({ error }) => (error === null ? [] : [error]))
    for (const failure of failures) reportError(failure)
    return exitCode() ?? (failures[0] === undefined ? 0 : exitCodeFor(failures[0]))
  })
}

function sayCheck({ check, status, note }: ConnectionCheck): string {
  const words = status === 'skipped' ? 'not checked' : status
  return `${checkNames[check].padEnd(11)}   ${words}${note === undefined ? '' : `   ${note}`}\n`
}

export async function runConnectionRemove(name: string, { json = false }: Json): Promise<number> {
  const home = homeFolder()
  const movedTo = await removeConnection(name, home)
  await forgetState(home, name)
  if (json) printJson({ name, movedTo })
  say(
    `Removed ${name}. Its files, secrets included, are in ${movedTo} until you delete them. The tables it wrote stay.`,
  )
  return 0
}

function printJson(value: unknown): void {
  process.stdout.write(`${indentJson(stringifyJson(value))}\n`)
}
