/** `turnleaf import openapi | postman | har` */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openConfig } from '../../connections/config-file.ts'
import { isPath } from '../../connections/find-connection.ts'
import { confirmStreams } from '../../import/confirm/confirm-streams.ts'
import { connectorReadme } from '../../import/connector-readme.ts'
import { chooseImported } from '../../import/choose-streams.ts'
import {
  connectorOf,
  type DescriptionKind,
  type ImportedConnector,
  type ImportReport,
  openDescription,
  type OpenedDescription,
  type ReportedStream,
  reportOf,
} from '../../import/import-api.ts'
import { readDescription } from '../../import/read-description.ts'
import { writeConnectorFolder } from '../../connector/write-folder.ts'
import { ConnectorError } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import { count } from '../../std/text/format-count.ts'
import { shellWord } from '../destination-address.ts'
import { orInterrupted } from '../interrupt.ts'
import { colours, fit, indentJson, noColours, oneLine, say, tableOf } from '../terminal/print.ts'

type ImportArguments = {
  readonly to?: string
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  readonly all?: boolean
  readonly list?: boolean
  readonly config?: string
  readonly confirm?: boolean
  readonly maxRequests?: number
  readonly force?: boolean
  readonly json?: boolean
}

export const runImportOpenApi = (source: string, given: ImportArguments) => runImport('openapi', source, given)
export const runImportPostman = (source: string, given: ImportArguments) => runImport('postman', source, given)
export const runImportHar = (source: string, given: ImportArguments) => runImport('har', source, given)

const usualRequests = 100

async function runImport(kind: DescriptionKind, source: string, given: ImportArguments): Promise<number> {
  const { list = false, confirm = false, force = false, json = false } = given
  if (given.maxRequests !== undefined && !confirm)
    throw new ConnectorError('cli/arguments', '--max-requests limits the requests of --confirm, which is missing.')
  if (list && confirm) throw new ConnectorError('cli/arguments', '--list asks nothing: leave --confirm out.')
  return orInterrupted('Interrupted: nothing was written.', async (signal) => {
    const { text, url } = await readDescription(source, signal)
    const opened = openDescription(kind, text, url)
    if (list) return printList(opened, given)
    const chosen = chooseImported(opened.streams, given)
    const proposed = connectorOf(opened, chosen)
    const folder = given.to ?? proposed.report.name
    await refuseExisting(folder, ['manifest.yaml', 'README.md'], force)
    const connector = confirm ? await confirmed(opened, proposed, given, signal) : proposed
    await writeConnectorFolder(folder, {
      'manifest.yaml': connector.manifest,
      'README.md': connectorReadme(kind, connector.report),
    })
    for (const line of reportLines(connector.report)) say(line)
    if (json) process.stdout.write(`${indentJson(stringifyJson({ folder, ...connector.report }))}\n`)
    for (const line of nextSteps(folder, connector.report, given)) say(line)
    return 0
  })
}

/** A connector that exists is overwritten only with --force. Checked before any request is sent, so that no result is lost. */
async function refuseExisting(folder: string, files: readonly string[], force: boolean): Promise<void> {
  const found = await stat(folder).catch(() => null)
  if (found === null) return
  if (!found.isDirectory()) throw new ConnectorError('import/exists', `${folder} is a file, not a folder.`)
  if (force) return
  for (const file of files) {
    if ((await stat(join(folder, file)).catch(() => null)) !== null)
      throw new ConnectorError('import/exists', `${join(folder, file)} already exists.`)
  }
}

async function confirmed(
  opened: OpenedDescription,
  proposed: ImportedConnector,
  { config: path, maxRequests = usualRequests, ...selection }: ImportArguments,
  signal: AbortSignal,
): Promise<ImportedConnector> {
  const { config } = await openConfig(path)
  const chosen = chooseImported(opened.streams, selection)
  const onStream = (name: string) => say(colours.dim(`asking: ${name}`))
  return confirmStreams(opened, chosen, proposed, { config, maxRequests, signal, onStream })
}

function printList(opened: OpenedDescription, given: ImportArguments): number {
  const chosen = chooseImported(opened.streams, { ...given, all: true })
  const report = reportOf(opened.api, chosen, opened.streams.length - chosen.length)
  if (given.json) process.stdout.write(`${indentJson(stringifyJson(report))}\n`)
  else process.stdout.write(`${tableOf(titles, report.streams.map(rowOf), { paint: noColours }).join('\n')}\n`)
  return 0
}

const titles = ['stream', 'request', 'records', 'pagination']

function rowOf({ name, method, path, recordPath, pagination }: ReportedStream): string[] {
  return [
    name,
    fit(oneLine(`${method} ${path}`), 70),
    recordPath.length === 0 ? 'whole response' : oneLine(recordPath.join('.')),
    oneLine(`${pagination.says}${statusWords[pagination.status]}`),
  ]
}

const statusWords: Readonly<Record<ReportedStream['pagination']['status'], string>> = {
  unconfirmed: ' (not confirmed)',
  confirmed: ' (confirmed)',
  corrected: ' (corrected)',
  'cannot-tell': ' (cannot tell)',
  'not-asked': ' (not asked)',
}

const shownRows = 40

function reportLines(report: ImportReport): string[] {
  const { title, baseUrl, authentication, streams, leftOut, otherOperations, notes } = report
  const more = streams.length - shownRows
  const details = [
    ...evidenceLines(streams),
    ...notes.map((note) => colours.yellow(oneLine(note))),
    ...streams.flatMap(({ name, notes: own }) => own.map((note) => oneLine(`${name}: ${note}`))).slice(0, shownRows),
    ...incrementalLines(streams),
  ]
  return [
    colours.green(oneLine(`${title}: ${count(streams.length, 'stream')} of ${baseUrl}`)),
    `Authentication: ${oneLine(authentication)}.`,
    ...leftOutLines(otherOperations, leftOut),
    '',
    ...tableOf(titles, streams.slice(0, shownRows).map(rowOf)),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(details.length > 0 ? ['', ...details] : []),
  ]
}

function leftOutLines(operations: number, lists: number): string[] {
  const left = [
    ...(operations > 0 ? [`${count(operations, 'operation')} that give${operations === 1 ? 's' : ''} no list`] : []),
    ...(lists > 0 ? [`${count(lists, 'list')} that you did not choose`] : []),
  ]
  return left.length === 0 ? [] : [`Left out: ${left.join(', and ')}.`]
}

function evidenceLines(streams: readonly ReportedStream[]): string[] {
  return streams.flatMap(({ name, pagination }) =>
    pagination.evidence.slice(0, 3).map((one) => oneLine(`${name}: ${one}`)),
  )
}

function incrementalLines(streams: readonly ReportedStream[]): string[] {
  const offered = streams.filter(({ incremental }) => incremental.length > 0)
  if (offered.length === 0) return []
  const shown = offered
    .slice(0, 5)
    .map(({ name, incremental }) => `${name} (${incremental.map((one) => one.parameter).join(', ')})`)
  return [
    oneLine(`May be read incrementally; see docs/incremental.md: ${shown.join(', ')}${offered.length > 5 ? ' …' : ''}`),
  ]
}

function nextSteps(
  folder: string,
  { name, inputs, streams }: ImportReport,
  { config: given, confirm: isConfirmed = false }: ImportArguments,
): string[] {
  const path = shellWord(join(folder, 'manifest.yaml'))
  const connector = shellWord(isPath(folder) ? folder : `./${folder}`)
  const required = inputs.filter(({ isRequired }) => isRequired).map((input) => input.name)
  const file = given ?? (required.length === 0 ? undefined : 'config.json')
  const config = file === undefined ? '' : ` --config ${shellWord(file)}`
  const [first] = streams.filter(({ parent }) => parent === null)
  const isOpen = !isConfirmed || streams.some(({ pagination }) => pagination.status === 'not-asked')
  return [
    '',
    `Wrote ${folder}.${required.length === 0 ? '' : ` ${configWords(required, given)}`}`,
    ...(isOpen ? ['The pagination is proposed, not confirmed: --confirm asks the API.'] : []),
    `  read   npx turnleaf read --manifest-path ${path}${config} --stream ${shellWord(first?.name ?? '')}`,
    `  sync   npx turnleaf sync --manifest-path ${path}${config}`,
    `  keep   npx turnleaf connection add ${name} --connector ${connector}${config}`,
  ]
}

function configWords(required: readonly string[], given: string | undefined): string {
  if (given !== undefined) return `${given} needs ${fit(required.join(', '), 300)}.`
  return `config.json is ${fit(stringifyJson(Object.fromEntries(required.map((input) => [input, '…']))), 300)}`
}
