/** Paths from the command line → the contents of the files. */
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type LoadedManifest, loadManifest, manifestNames } from '../connector/load-manifest.ts'
import { ConnectorError, type ErrorCode } from '../std/errors.ts'
import { parseText } from '../engine/manifest/parse.ts'
import type { Config } from '../engine/plan/plan.ts'
import { parseJson, stringifyJson } from '../std/json.ts'

export type ManifestText = { readonly text: string; readonly file: string; readonly folder: string }

/** The manifest at a path: a file, a folder with a manifest in it, or `-` for standard input. */
export async function readManifestText(path: string): Promise<ManifestText> {
  if (path === '-') return { text: await readStdin(), file: 'standard input', folder: process.cwd() }
  const file = await manifestIn(path)
  return { text: await readText(file, 'manifest'), file, folder: resolve(dirname(file)) }
}

/** The manifest, checked. Custom classes are loaded from its folder. */
export async function openManifest(path: string): Promise<LoadedManifest> {
  const { text, file, folder } = await readManifestText(path)
  return loadManifest(text, { file, folder })
}

async function manifestIn(path: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (!found?.isDirectory()) return path
  for (const name of manifestNames) {
    const inside = join(path, name)
    if ((await stat(inside).catch(() => null))?.isFile()) return inside
  }
  throw new ConnectorError('cli/file', `There is no manifest.yaml in the folder ${path}.`)
}

/** The config, JSON or YAML; no path, no values. */
export async function openConfig(path: string | undefined): Promise<Config> {
  if (path === undefined) return {}
  const value = parse(await readText(path, 'config'), path, 'plan/invalid-config')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Config
  const message = `${path} does not contain an object with the config values.`
  throw new ConnectorError('plan/invalid-config', message, { at: { pointer: '', file: path } })
}

/**
 * Replaces the config file atomically, with the same permissions. Returns the reason if that failed.
 */
export async function saveConfig(path: string, config: Config): Promise<string | null> {
  const made: string[] = []
  try {
    const target = await realpath(path)
    const { mode } = await stat(target)
    const draft = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
    const file = await open(draft, 'wx', mode)
    made.push(draft)
    try {
      await file.chmod(mode)
      await file.writeFile(stringifyJson(config))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
    return null
  } catch (error) {
    await Promise.all(made.map((draft) => rm(draft, { force: true })))
    return reasonOf(error)
  }
}

/** A catalog: one JSON text, or the messages of `discover`, one per line. */
export async function openCatalog(path: string): Promise<unknown> {
  const text = await readText(path, 'catalog')
  const message = linesIn(text)?.find((line) => (line as { type?: unknown } | null)?.type === 'CATALOG')
  return message ?? parse(text, path, 'cli/file')
}

/** A state: one JSON text, or the messages of an earlier read, one per line. */
export async function openState(path: string): Promise<unknown> {
  const text = await readText(path, 'state')
  if (text.trim() === '') return []
  try {
    return parseJson(text).value
  } catch (whole) {
    const lines = linesIn(text)
    if (lines === null) throw notReadable(path, 'slices/invalid-state', whole)
    return lines
  }
}

/** One JSON value per line; null when the text is something else. */
function linesIn(text: string): unknown[] | null {
  try {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => parseJson(line).value)
  } catch {
    return null
  }
}

function parse(text: string, path: string, code: ErrorCode): unknown {
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
function notReadable(path: string, code: ErrorCode, cause: unknown, text = ''): ConnectorError {
  const [, found] = /position (\d+)/.exec(cause instanceof Error ? cause.message : '') ?? []
  const before = text.slice(0, Number(found ?? 0)).split('\n')
  const place = found === undefined ? {} : { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  return new ConnectorError(code, `${path} is not valid JSON.`, {
    at: { pointer: '', file: path, ...place },
    hint: 'Fix the JSON; look for a missing quote or an extra comma.',
  })
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new ConnectorError('cli/file', `Cannot read the ${what} ${path}: ${reasonOf(cause)}.`, { cause })
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'it does not exist'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
      return 'it may not be read'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}
