/** Text → what it says, or why it cannot be read. Never throws. */
import { parseDocument } from 'yaml'

export type DocumentProblem = { readonly message: string; readonly line: number; readonly column: number }

export type ManifestDocument = {
  readonly text: string
  /** Null where the text cannot be read. */
  readonly value: unknown
  readonly problem: DocumentProblem | null
}

export function openDocument(text: string): ManifestDocument {
  const document = parseDocument(text, { prettyErrors: true })
  const [error] = document.errors
  if (error === undefined) return { text, value: document.toJS(), problem: null }
  const [at] = error.linePos ?? [{ line: 1, col: 1 }]
  return { text, value: null, problem: { message: error.message, line: at.line, column: at.col } }
}
