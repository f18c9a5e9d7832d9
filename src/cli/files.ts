/** Paths from the command line → the contents of the files. */
import { type ManifestText, readConnector, readTextFile } from '../connector/open-connector.ts'
import { type LoadedManifest, loadManifest } from '../connector/load-manifest.ts'
import { notReadable, parseValues } from '../connections/config-file.ts'
import { parseJson } from '../std/json.ts'

/** The manifest at a path: a file, a folder with a manifest in it, or `-` for standard input. */
export async function readManifestText(path: string): Promise<ManifestText> {
  if (path === '-') return { text: await readStdin(), file: 'standard input', folder: process.cwd() }
  return readConnector(path)
}

/** The manifest, checked. Custom classes are loaded from its folder. */
export async function openManifest(path: string): Promise<LoadedManifest> {
  const { text, file, folder } = await readManifestText(path)
  return loadManifest(text, { file, folder })
}

/** A catalog: one JSON text, or the messages of `discover`, one per line. */
export async function openCatalog(path: string): Promise<unknown> {
  const text = await readTextFile(path, 'catalog')
  const message = linesIn(text)?.find((line) => (line as { type?: unknown } | null)?.type === 'CATALOG')
  return message ?? parseValues(text, path, 'cli/file')
}

/** A state: one JSON text, or the messages of an earlier read, one per line. */
export async function openState(path: string): Promise<unknown> {
  const text = await readTextFile(path, 'state')
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

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
