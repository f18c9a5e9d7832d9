/** `turnleaf detect` */
import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadManifest } from '../../connector/load-manifest.ts'
import { errorCode, describeDiskError } from '../../std/disk/disk-error.ts'
import { ConnectorError } from '../../std/errors.ts'
import { detect } from '../../proof/detection/detect.ts'
import type { Detection } from '../../proof/detection/detection.ts'
import { stringifyJson } from '../../std/json.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { shellWord } from '../destination-address.ts'
import { orInterrupted } from '../interrupt.ts'
import { type RequestArguments, requestFrom } from '../request-arguments.ts'
import { detectionReport } from '../terminal/detection.ts'
import { indentJson, say } from '../terminal/print.ts'

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
  return orInterrupted('Interrupted: nothing was written.', async (signal) => {
    const options = { signal, ...(maxRequests !== undefined && { maxRequests }) }
    return print(await detect(request, options), target, given)
  })
}

async function print(detection: Detection, target: string | null, given: DetectCommandOptions): Promise<number> {
  const { force = false, json = false } = given
  for (const line of detectionReport(detection)) say(line)
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
