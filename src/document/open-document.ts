/** A text → its value, as the engine reads it, or why it cannot be read. */
import { ConnectorError } from '../std/errors.ts'
import { parseText } from '../engine/manifest/parse.ts'
import { treeOf } from './tree-of.ts'

export type DocumentProblem = { readonly message: string; readonly line: number; readonly column: number }

export type ManifestDocument = {
  readonly text: string
  /** Null when the text cannot be read. Parts that a change did not touch are the same objects as before. */
  readonly value: unknown
  readonly problem: DocumentProblem | null
}

/** Never throws. */
export function openDocument(text: string): ManifestDocument {
  const tree = treeOf(withoutByteOrderMark(text))
  if (tree !== null && tree.root !== null) return { text, value: tree.root.value, problem: null }
  return { text, value: null, problem: problemOf(text) }
}

/** The byte order mark is not part of the document. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

function problemOf(text: string): DocumentProblem | null {
  try {
    parseText(text)
    return null
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    return { message: error.message, line: error.at?.line ?? 1, column: error.at?.column ?? 1 }
  }
}
