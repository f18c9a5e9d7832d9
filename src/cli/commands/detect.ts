/** `turnleaf detect` */
import { isUrl } from '../../std/text/is-url.ts'
import { access, constants, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadManifest } from '../../connector/load-manifest.ts'
import { errorCode, describeDiskError } from '../../std/disk/disk-error.ts'
import { ConnectorError } from '../../std/errors.ts'
import { detect } from '../../proof/detection/detect.ts'
import type { Candidate, Detection, DetectionRequest } from '../../proof/detection/detection.ts'
import type { Probe } from '../../proof/probe.ts'
import { parseJson, stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { shellWord } from '../destination-address.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { colours, fit, indentJson, oneLine, say, tableOf } from '../terminal/print.ts'
import { reasonOf } from '../../connector/open-connector.ts'

type DetectCommandOptions = RequestArguments & {
  readonly maxRequests?: number
  readonly write?: string
  readonly force?: boolean
  readonly json?: boolean
}

/** Exit code 0 when the API's pagination is known, or that it has none; 1 when it cannot be determined. */
export async function runDetect(url: string, given: DetectCommandOptions): Promise<number> {
  const { maxRequests, write } = given
  const request = await requestFrom(url, given)
  const target = write === undefined ? null : await targetFor(write, given.force ?? false)
  const { signal, exitCode } = listenForInterrupt()
  const options = { signal, ...(maxRequests !== undefined && { maxRequests }) }
  try {
    return await print(await detect(request, options), target, given)
  } catch (error) {
    const interrupted = exitCode()
    if (interrupted === null) throw error
    say('Interrupted: nothing was written.')
    return interrupted
  }
}

async function print(detection: Detection, target: string | null, given: DetectCommandOptions): Promise<number> {
  const { force = false, json = false } = given
  for (const line of report(detection)) say(line)
  if (json) process.stdout.write(`${indentJson(stringifyJson(detection))}\n`)
  else if (detection.manifest !== null && target === null) process.stdout.write(detection.manifest)
  if (detection.manifest !== null && target !== null) {
    await writeManifest(target, detection.manifest, force)
    say(`Wrote ${target}. Read it: ${readCommand(target, detection.manifest)}`)
  }
  return detection.answer === 'cannot-tell' ? 1 : 0
}

/** Secrets of the request are not in the manifest: the config has to contain them. */
function readCommand(target: string, manifest: string): string {
  const command = `npx turnleaf read --manifest-path ${shellWord(target)}`
  const specification = loadManifest(manifest).spec?.connection_specification
  const required = isObject(specification) && isList(specification['required']) ? specification['required'] : []
  if (required.length === 0) return command
  const config = stringifyJson(Object.fromEntries(required.map((name) => [name, '…'])))
  return `${command} --config config.json, where config.json is ${config}`
}

/** Checked before the first request, so that no result is lost because a folder is missing. */
async function targetFor(path: string, force: boolean): Promise<string> {
  const found = await stat(path).catch(() => null)
  const target = found?.isDirectory() ? join(path, 'manifest.yaml') : path
  const isTaken = (await stat(target).catch(() => null)) !== null
  if (isTaken && !force) throw taken(target)
  await access(dirname(target), constants.W_OK).catch((cause: unknown) => {
    throw new ConnectorError('cli/file', `Cannot write ${target}: ${folderTrouble(cause)}.`, { cause })
  })
  return target
}

function folderTrouble(error: unknown): string {
  return errorCode(error) === 'ENOENT' ? 'its folder does not exist' : (describeDiskError(error) ?? String(error))
}

async function writeManifest(path: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw taken(path)
    throw new ConnectorError('cli/file', `Cannot write ${path}: ${describeDiskError(cause) ?? String(cause)}.`, {
      cause,
    })
  }
}

function taken(path: string): ConnectorError {
  return new ConnectorError('cli/file', `${path} already exists.`, { hint: 'Choose another name, or add --force.' })
}

/** The result, its evidence, and the requests that were sent. */
function report({ answer, says, candidates, probes }: Detection): string[] {
  const paint = answer === 'cannot-tell' ? colours.yellow : colours.green
  return [
    paint(oneLine(says)),
    ...candidates.flatMap((candidate) => candidateLines(candidate, answer !== 'cannot-tell')),
    '',
    ...probeTable(probes),
    '',
  ]
}

/** The candidate of the result needs no title: the result describes it. */
function candidateLines({ says, confidence, evidence, facts }: Candidate, isResult: boolean): string[] {
  const title = isResult ? [] : [`  ${oneLine(says)} (${confidence})`]
  return [...title, ...[...evidence, `stops ${facts.stops}`].map((one) => `  ${isResult ? '' : '  '}${oneLine(one)}`)]
}

const widest = 70

function probeTable(probes: readonly Probe[]): string[] {
  const cells = probes.map(({ method, url, sent, why, status, saw }, index) => [
    String(index + 1),
    fit(oneLine(`${method} ${pathOf(url)}${sent === undefined ? '' : ` ${sent}`}`), widest),
    fit(oneLine(why), widest),
    status === null ? '–' : String(status),
    oneLine(saw),
  ])
  return tableOf(['', 'request', 'to find out', 'status', 'result'], cells, { numbers: [0] })
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + decoded(search)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type RequestArguments = {
  readonly method?: 'GET' | 'POST'
  readonly header?: readonly string[]
  readonly data?: string
  readonly form?: readonly string[]
}

async function requestFrom(url: string, given: RequestArguments): Promise<DetectionRequest> {
  if (!/^https?:\/\//i.test(url) || !isUrl(url)) {
    throw wrong('The URL is not a complete http or https address.', 'Write it as https://api.example.com/v1/orders.')
  }
  const { method, header = [], data, form = [] } = given
  if (data !== undefined && form.length > 0)
    throw wrong('A request has either --data or --form, not both.', 'Remove one of them.')
  if (method === 'GET' && (data !== undefined || form.length > 0)) {
    throw wrong('A GET request has no body.', 'Remove --method, or remove --data and --form.')
  }
  return {
    url,
    ...(method !== undefined && { method }),
    headers: Object.fromEntries(header.map(headerOf)),
    ...(data !== undefined && { json: await jsonOf(data) }),
    ...(form.length > 0 && { form: Object.fromEntries(form.map(fieldOf)) }),
  }
}

/** `Authorization: Bearer ${SHOP_TOKEN}` keeps the token out of the list of processes. */
function headerOf(line: string): [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/s.exec(line) ?? []
  if (name === undefined || value === undefined) {
    throw wrong('A --header is not of the form `Name: value`.', "Write it as --header 'X-Tenant: 5'.")
  }
  return [name, value.trim().replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => fromEnvironment(variable, name))]
}

function fromEnvironment(variable: string, header: string): string {
  const value = process.env[variable]
  if (value !== undefined && value !== '') return value
  throw wrong(`The header ${header} needs ${variable}, which is not set in the environment.`, `export ${variable}=…`)
}

/** As in curl: `@file` is the content of the file, `@-` is standard input. */
async function jsonOf(data: string): Promise<unknown> {
  const text = data.startsWith('@') ? await textAt(data.slice(1)) : data
  try {
    return parseJson(text).value
  } catch {
    throw wrong('--data is not JSON.', `Write it as --data '{"query": "…"}', or --data @body.json.`)
  }
}

async function textAt(path: string): Promise<string> {
  try {
    return await readFile(path === '-' ? '/dev/stdin' : path, 'utf8')
  } catch (cause) {
    throw new ConnectorError('cli/file', `Cannot read the body ${path}: ${reasonOf(cause)}.`, { cause })
  }
}

function fieldOf(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at <= 0) throw wrong('A --form is not of the form `name=value`.', 'Write it as --form status=open.')
  return [text.slice(0, at), text.slice(at + 1)]
}

function wrong(message: string, hint: string): ConnectorError {
  return new ConnectorError('cli/arguments', message, { hint })
}
