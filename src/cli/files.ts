/** Paths from the command line → the contents of the files. */
import { type ManifestText, readConnector, readTextFile } from '../connector/open-connector.ts'
import { type LoadedManifest, loadManifest } from '../connector/load-manifest.ts'
import { notReadable, parseValues } from '../connections/config-file.ts'
import { refuseConnectorName } from '../connections/home-connectors.ts'
import { withoutByteOrderMark } from '../document/open-document.ts'
import { ConnectorError } from '../std/errors.ts'
import { parseJson } from '../std/json.ts'
import { isObject } from '../std/values/objects.ts'

/** The manifest at a path: a file, a folder with a manifest in it, or `-` for standard input. */
export async function readManifestText(path: string): Promise<ManifestText> {
  if (path === '-') return { text: await readStdin(), file: 'standard input', folder: process.cwd() }
  await refuseConnectorName(path)
  return readConnector(path)
}

/** The manifest, checked. Custom classes are loaded from its folder. */
export async function openManifest(path: string): Promise<LoadedManifest> {
  const { text, file, folder } = await readManifestText(path)
  return loadManifest(text, { file, folder })
}

/** A catalog: one JSON text, or the messages of `discover`, one per line. */
export async function openCatalog(path: string): Promise<unknown> {
  const text = withoutByteOrderMark(await readTextFile(path, 'catalog'))
  // A catalog on many thousand lines: to find out of each that it is no JSON takes longer than all the rest.
  const likely = text.split('\n').filter((line) => line.includes('CATALOG'))
  const message = likely.map(jsonIn).find((value) => isObject(value) && value.type === 'CATALOG')
  return message ?? parseValues(text, path, 'cli/file')
}

/** A state: one JSON text, or the messages of an earlier read, one per line. */
export async function openState(path: string): Promise<unknown> {
  const text = withoutByteOrderMark(await readTextFile(path, 'state'))
  if (text.trim() === '') return []
  try {
    return parseJson(text).value
  } catch (whole) {
    const lines = linesOf(text)
    // The start of JSON on several lines is no JSON.
    if (lines[0]?.value === undefined) throw notReadable(path, 'slices/invalid-state', whole, text)
    return valuesOf(lines, path)
  }
}

/** A read that was killed, or whose disk was full, leaves a part of its last message: the states before it are whole. */
function valuesOf(lines: readonly Line[], path: string): unknown[] {
  const wrong = lines.find(({ value }) => value === undefined)
  const found = lines.filter((one) => one.value !== undefined).map(({ value }) => value)
  if (wrong === undefined || (wrong.isCut && found.every(isMessage))) return found
  const { number } = wrong
  throw new ConnectorError('slices/invalid-state', `Line ${number} of ${path} is not valid JSON.`, {
    at: { pointer: '', file: path, line: number, column: 1 },
    hint: 'Remove the line, or start without the state file. Of an output that was continued in the same file, give the last part.',
  })
}

type Line = {
  readonly number: number
  /** Undefined where the line is not JSON. */
  readonly value: unknown
  /** The file ends within the line. */
  readonly isCut: boolean
}

function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line, index, all): Line[] => {
    if (line.trim() === '') return []
    return [{ number: index + 1, value: jsonIn(line), isCut: index === all.length - 1 }]
  })
}

function jsonIn(line: string): unknown {
  try {
    return parseJson(line).value
  } catch {
    return undefined
  }
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value.type === 'string' && value.type === value.type.toUpperCase()
}

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
