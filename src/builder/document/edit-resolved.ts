/** Changes to the resolved manifest, as edits of the text. */
import { parseDocument } from 'yaml'
import type { Path } from './path.ts'

export function setResolved(text: string, path: Path, value: unknown): string {
  const document = parseDocument(text)
  document.setIn(path, value)
  return document.toString()
}

export function removeResolved(text: string, path: Path): string {
  const document = parseDocument(text)
  document.deleteIn(path)
  return document.toString()
}
