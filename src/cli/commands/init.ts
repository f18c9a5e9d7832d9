/** `turnleaf init`: from a URL to a connector, a connection and its first sync. */
import { addConnection, checkConnectionName } from '../../connections/add-connection.ts'
import { connectionFile, homeFolder, shownPath } from '../../connections/find-connection.ts'
import { connectorFolder, refuseExistingConnector } from '../../connections/home-connectors.ts'
import { hidePassword } from '../../connections/show-connection.ts'
import { writeConnectorFolder } from '../../connector/write-folder.ts'
import { destinationAt } from '../../destinations/open-destination.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { detect, usualRequests } from '../../proof/detection/detect.ts'
import type { Detection, DetectionRequest } from '../../proof/detection/detection.ts'
import { inputValues } from '../../proof/detection/given-input.ts'
import { ConnectorError, hasCode } from '../../std/errors.ts'
import { ownerOf, streamName } from '../../from-request/address.ts'
import { embeddedAddress, environmentAddress, shellWord } from '../destination-address.ts'
import type { UsedVariables } from '../fill-variables.ts'
import { orInterrupted } from '../interrupt.ts'
import { withFailureReport } from '../report-error.ts'
import { type RequestArguments, requestFrom } from '../request-arguments.ts'
import { askFor, askHidden, canAsk } from '../terminal/ask.ts'
import { detectionReport } from '../terminal/detection.ts'
import { colours, say } from '../terminal/print.ts'
import { runConnectionCheck } from './connection.ts'
import { syncAndReport } from './sync.ts'

type InitOptions = RequestArguments & {
  readonly name?: string
  readonly to?: string
  readonly yes?: boolean
  readonly maxRequests?: number
  readonly sync: boolean
}

/** Exit code 1 where the pagination cannot be determined; otherwise that of the first step that fails. */
export function runInit(url: string | undefined, given: InitOptions): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    return orInterrupted('Interrupted.', (signal) => init(url, given, signal))
  })
}

async function init(given: string | undefined, options: InitOptions, signal: AbortSignal): Promise<number> {
  const asks = canAsk && options.yes !== true
  const url = given ?? (asks ? await askFor('URL of a list of the API', '', signal) : '')
  if (url === '') {
    throw new ConnectorError('cli/arguments', 'Name the URL of a list that the API offers.', {
      hint: 'npx turnleaf init https://api.example.com/v1/orders',
    })
  }
  const variables: UsedVariables = new Map()
  const asked = await requestFrom(url, options, variables)
  const home = homeFolder()
  const usual = usualName(asked.url)
  const name = options.name ?? (asks ? await askFor('Name of the connection', usual, signal) : usual)
  checkConnectionName(name)
  await refuseTaken(home, name)
  const to = options.to ?? (asks ? await askForDestination(signal) : undefined)
  if (to !== undefined && !to.includes('${') && !to.startsWith('file:')) destinationAt(to)

  const { request, detection } = await detectAsking(asked, { asks, signal, maxRequests: options.maxRequests })
  for (const line of detectionReport(detection)) say(line)
  if (detection.manifest === null || detection.answer === 'cannot-tell')
    return sayUnknown(url, options, detection.probes.length)
  const file = await write(home, name, to, detection.manifest, withReferences(inputValues(request), variables))

  const checked = await runConnectionCheck(name, {})
  if (checked !== 0) {
    say(
      `Connector and connection are kept. Correct ${file} if it is wrong there, then: npx turnleaf sync ${shellWord(name)}`,
    )
    return checked
  }
  const synced = options.sync ? await syncAndReport(name, {}, () => {}) : 0
  if (!options.sync) say(`  sync  npx turnleaf sync ${shellWord(name)}`)
  say(`  then  npx turnleaf schedule add ${shellWord(name)} --every 1h && npx turnleaf serve`)
  return synced
}

/** Undefined for the default where TURNLEAF_TO names none: such a connection needs no address. */
async function askForDestination(signal: AbortSignal): Promise<string | undefined> {
  const usual = environmentAddress()
  const shown = hidePassword(usual ?? embeddedAddress())
  const answer = await askFor('Write to', shown, signal)
  return answer === shown ? usual : answer
}

/** `shop` for https://api.shop.example/v1/orders; `orders` where the host says nothing. */
function usualName(url: string): string {
  const { hostname, pathname } = new URL(url)
  const owner = hostname === 'localhost' ? null : ownerOf(url)
  const name = (owner ?? streamName(pathname))
    .toLowerCase()
    .replaceAll(/[^a-z\d_-]+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
  return name.slice(0, 63) || 'api'
}

/** Before the first request, so that nothing is sent in vain. */
async function refuseTaken(home: string, name: string): Promise<void> {
  const file = await connectionFile(name, home)
  if (file === null) return refuseExistingConnector(connectorFolder(home, name))
  throw new ConnectorError('connections/exists', `${shownPath(file)} already exists.`, {
    hint: `Choose another name with --name, or correct that file and run it: npx turnleaf sync ${shellWord(name)}`,
  })
}

type Asking = {
  readonly asks: boolean
  readonly signal: AbortSignal
  readonly maxRequests: number | undefined
}

/** Asks for a token where the API wants one and a person is there. */
async function detectAsking(
  request: DetectionRequest,
  asking: Asking,
): Promise<{ request: DetectionRequest; detection: Detection }> {
  const { asks, signal, maxRequests } = asking
  try {
    const detection = await detect(request, { signal, ...(maxRequests !== undefined && { maxRequests }) })
    return { request, detection }
  } catch (error) {
    const isRefused = hasCode(error, 'detection/unauthorized')
    if (!isRefused || !asks || hasCredential(request)) throw error
    say(colours.yellow(error.message))
    const token = await askHidden('Token, sent as `Authorization: Bearer …` (not shown)', signal)
    if (token === '') throw error
    const headers = { ...request.headers, Authorization: `Bearer ${token}` }
    return detectAsking({ ...request, headers }, asking)
  }
}

function hasCredential({ headers = {} }: DetectionRequest): boolean {
  return Object.keys(headers).some((name) => /^authorization$/i.test(name))
}

/** Values of headers and bodies may be secrets: they are not repeated. */
function sayUnknown(url: string, options: InitOptions, sent: number): number {
  say(
    'Nothing was written. Give the URL of a list of objects with more than one page, or describe the API in the builder:',
  )
  say(`  builder  npx turnleaf serve`)
  const { method, header = [], data, form = [], maxRequests = usualRequests } = options
  const given = [
    ...(method === undefined ? [] : [`--method ${method}`]),
    ...header.map((line) => `--header ${shellWord(`${line.split(':', 1)[0]}: …`)}`),
    ...(data === undefined ? [] : ['--data …']),
    ...form.map(() => '--form …'),
  ]
  // Where requests were left, more of them would not be sent.
  if (sent >= maxRequests)
    say(`  again    ${['npx turnleaf detect', shellWord(url), ...given, '--max-requests', maxRequests + 18].join(' ')}`)
  return 1
}

/** @returns the file of the connection. */
async function write(
  home: string,
  name: string,
  to: string | undefined,
  manifest: string,
  config: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = connectorFolder(home, name)
  await writeConnectorFolder(folder, { 'manifest.yaml': manifest })
  const { connection, moved } = await addConnection({ name, connector: name, config, to }, home)
  say(`Wrote ${shownPath(folder)}/manifest.yaml and ${connection.file}.`)
  for (const { field, reference } of moved) {
    const path = `${shownPath(connection.folder)}/${reference.slice('file:'.length)}`
    say(`\`${field}\` is a secret: it is in ${path}, which only you can read and git ignores.`)
  }
  return connection.file
}

/** A value that came from a variable is written as that variable. What looks like a reference and is none is escaped. */
function withReferences(values: Readonly<Record<string, string>>, variables: UsedVariables): Record<string, string> {
  // The longest first: one value may be part of another.
  const known = [...variables].toSorted(([, one], [, other]) => other.length - one.length)
  return Object.fromEntries(
    Object.entries(values).map(([input, value]) => {
      const exact = known.find(([, text]) => text === value)
      if (exact !== undefined) return [input, `\${${exact[0]}}`]
      return [input, value.replaceAll('${', '$${').replace(/^file:/, '$file:')]
    }),
  )
}
