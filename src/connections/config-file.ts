/** The file of `--config`: its values with references filled in, and a changed config written back to it. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readTextFile, reasonOf } from '../connector/open-connector.ts'
import { parseText } from '../engine/manifest/parse.ts'
import type { Config } from '../engine/plan/plan.ts'
import { splitConfig } from '../protocol/injected.ts'
import { rewriteFile } from '../std/disk/durable.ts'
import { ConnectorError, type ErrorCode } from '../std/errors.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import { isObject } from '../std/values/objects.ts'
import { withoutByteOrderMark } from '../document/open-document.ts'
import { pointerOf } from '../document/value-path.ts'
import { keepReferences, type SecretFile, takenFiles, writeSecrets } from './keep-references.ts'
import { fillReferences } from './references.ts'

export type OpenedConfig = {
  readonly config: Config
  /** Writes a changed config back. Returns what the user should know, such as why it could not be written. */
  readonly save: (changed: Config) => Promise<readonly string[]>
  /** Writes what `save` could not. Call at the end: a disk may have room by then. */
  readonly saveAgain: () => Promise<readonly string[]>
}

/** JSON or YAML; no path, no values. */
export async function openConfig(path: string | undefined): Promise<OpenedConfig> {
  if (path === undefined) return { config: {}, save: async () => [], saveAgain: async () => [] }
  const written = await readConfig(path)
  // Code of a platform is no config: what looks like a reference there is not one.
  const { config: values, injected } = splitConfig(written)
  const folder = await folderOf(path)
  const locate = (at: readonly (string | number)[]) => ({ pointer: pointerOf(at), file: path })
  const filled = await fillReferences(values, { folder, locate })
  const isTaken = takenFiles(folder)
  let unsaved: Config | null = null
  const saying = (trouble: string | null, changed: Config): string[] => {
    unsaved = trouble === null ? null : changed
    return trouble === null ? [] : [sayUnsaved(path, trouble)]
  }
  const save = async (changed: Config): Promise<readonly string[]> => {
    const { config: own } = splitConfig(changed)
    // The file is the place for secrets that have no reference.
    const { config, files } = keepReferences({ written: values, filled, changed: own, isSecret: () => false, isTaken })
    const trouble = await trying(() => writeSecrets(files, folder))
    if (trouble !== null) return saying(trouble, changed)
    return [
      ...sayMoved(values, config, files, path),
      ...saying(await saveConfig(path, { ...config, ...injected }), changed),
    ]
  }
  const saveAgain = async () => {
    if (unsaved === null) return []
    const said = await save(unsaved)
    return unsaved === null ? [...said, `The changed config is now in ${path}.`] : said
  }
  return { config: { ...filled, ...injected }, save, saveAgain }
}

/** The values as they are written. */
export async function readConfig(path: string): Promise<Config> {
  const value = parseValues(await readTextFile(path, 'config'), path, 'plan/invalid-config')
  if (isObject(value)) return value
  const message = `${path} does not contain an object with the config values.`
  throw new ConnectorError('plan/invalid-config', message, { at: { pointer: '', file: path } })
}

/** Where relative paths of its references start: a pipe (`<(…)`) is in no folder of the user. */
export async function folderOf(path: string): Promise<string> {
  return (await stat(path).catch(() => null))?.isFile() ? dirname(path) : process.cwd()
}

function sayUnsaved(path: string, trouble: string): string {
  return `The changed config could not be saved to ${path}: ${trouble}. Make the file writable, or free space. If the API replaced a refresh token that works once, the new one is only in this process: should it end before the file is written, get another one from the API and put it there.`
}

/** Fields that had another reference before: their variable is out of date. */
export function sayMoved(before: Config, after: Config, files: readonly SecretFile[], path: string): string[] {
  const known = stringifyJson(before)
  return files
    .filter(({ reference }) => !known.includes(stringifyJson(reference)) && stringifyJson(after).includes(reference))
    .map(
      ({ field, reference }) =>
        `The API replaced \`${field}\`. The new value is in ${reference.slice('file:'.length)}, and ${path} refers to that file.`,
    )
}

export async function trying(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

/** Replaces the config file atomically, with the same permissions. Returns the reason if that failed. */
function saveConfig(path: string, config: Config): Promise<string | null> {
  return trying(() => rewriteFile(path, Buffer.from(stringifyJson(config))))
}

/** @param code of the error where the text is neither JSON nor, in a file of that name, YAML. */
export function parseValues(given: string, path: string, code: ErrorCode): unknown {
  const text = withoutByteOrderMark(given)
  try {
    return parseJson(text).value
  } catch (error) {
    // Broken JSON is often valid YAML: a trailing comma, a comment.
    if (!/\.ya?ml$/i.test(path)) throw notReadable(path, code, error, text)
    return parseYaml(text, path, code)
  }
}

function parseYaml(text: string, path: string, code: ErrorCode): unknown {
  try {
    return parseText(text, path).value
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    throw new ConnectorError(code, error.message, { at: error.at ?? { pointer: '', file: path }, cause: error })
  }
}

/** Reports the position, never the text: it may be a secret. */
export function notReadable(path: string, code: ErrorCode, cause: unknown, text = ''): ConnectorError {
  const [, found] = /position (\d+)/.exec(cause instanceof Error ? cause.message : '') ?? []
  const before = text.slice(0, Number(found ?? 0)).split('\n')
  const place = found === undefined ? {} : { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  return new ConnectorError(code, `${path} is not valid JSON.`, {
    at: { pointer: '', file: path, ...place },
    hint: 'Fix the JSON; look for a missing quote or an extra comma.',
  })
}
