/** `turnleaf detect` */
import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadManifest } from '../../connector/load-manifest.ts'
import { errorCode, sayTrouble } from '../../std/disk/trouble.ts'
import { ConnectorError } from '../../std/errors.ts'
import { detect } from '../../proof/detection/detect.ts'
import type { Candidate, Detection } from '../../proof/detection/detection.ts'
import type { Probe } from '../../proof/probe.ts'
import { stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { shellWord } from '../destination-address.ts'
import { type RequestArguments, requestFrom } from './detect-request.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { colours, fit, indentJson, oneLine, say, tableOf } from '../terminal/print.ts'

export type DetectCommandOptions = RequestArguments & {
  readonly maxRequests?: number
  readonly write?: string
  readonly force?: boolean
  readonly json?: boolean
}

/** Exit code 0 when it is known how the API is paged, or that it is not; 1 when nobody can tell. */
export async function runDetect(url: string, given: DetectCommandOptions): Promise<number> {
  const { maxRequests, write } = given
  const request = await requestFrom(url, given)
  const target = write === undefined ? null : await targetFor(write, given.force ?? false)
  const { signal, exitCode } = listenForInterrupt()
  const options = { signal, ...(maxRequests !== undefined && { maxRequests }) }
  try {
    return await tell(await detect(request, options), target, given)
  } catch (error) {
    const interrupted = exitCode()
    if (interrupted === null) throw error
    say('Interrupted: nothing was written.')
    return interrupted
  }
}

async function tell(detection: Detection, target: string | null, given: DetectCommandOptions): Promise<number> {
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

/** What was given as a secret is not in the manifest: the config has to bring it. */
function readCommand(target: string, manifest: string): string {
  const command = `npx turnleaf read --manifest-path ${shellWord(target)}`
  const specification = loadManifest(manifest).spec?.connection_specification
  const required = isObject(specification) && isList(specification['required']) ? specification['required'] : []
  if (required.length === 0) return command
  const config = stringifyJson(Object.fromEntries(required.map((name) => [name, '…'])))
  return `${command} --config config.json, where config.json is ${config}`
}

/** Looked at before the API is asked anything: what it answers should not be lost for want of a folder. */
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
  return errorCode(error) === 'ENOENT' ? 'its folder does not exist' : (sayTrouble(error) ?? String(error))
}

async function writeManifest(path: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw taken(path)
    throw new ConnectorError('cli/file', `Cannot write ${path}: ${sayTrouble(cause) ?? String(cause)}.`, { cause })
  }
}

function taken(path: string): ConnectorError {
  return new ConnectorError('cli/file', `${path} is there already.`, { hint: 'Choose another name, or add --force.' })
}

/** The answer, what speaks for it, and what was asked to find it out. */
export function report({ answer, says, candidates, probes }: Detection): string[] {
  const paint = answer === 'cannot-tell' ? colours.yellow : colours.green
  return [
    paint(oneLine(says)),
    ...candidates.flatMap((candidate) => candidateLines(candidate, answer !== 'cannot-tell')),
    '',
    ...probeTable(probes),
    '',
  ]
}

/** The answer says what its own candidate is. */
function candidateLines({ says, confidence, evidence, facts }: Candidate, isAnswer: boolean): string[] {
  const title = isAnswer ? [] : [`  ${oneLine(says)} (${confidence})`]
  return [...title, ...[...evidence, `stops ${facts.stops}`].map((one) => `  ${isAnswer ? '' : '  '}${oneLine(one)}`)]
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
  return tableOf(['', 'asked', 'to find out', 'status', 'came'], cells, { numbers: [0] })
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
