/** A text → its value, as the engine reads it, or why it cannot be read. */
import { ConnectorError } from '../std/errors.ts'
import { parseText } from '../engine/manifest/parse.ts'
import { isJson } from '../engine/manifest/read-yaml.ts'
import { readTreeInParts } from './read-tree.ts'
import type { DocumentProblem } from './source-tree.ts'
import { isAtHand, keepTree, knownProblem, treeOf } from './tree-of.ts'

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
  return { text, value: null, problem: knownProblem(withoutByteOrderMark(text)) ?? problemOf(text) }
}

/** Null where `openDocument` would take long: `readAhead` first. */
export function openAtOnce(text: string): ManifestDocument | null {
  return isAtHand(withoutByteOrderMark(text)) ? openDocument(text) : null
}

export type AheadTools = {
  /** Lets others work; false ends the reading, as its result is not needed any more. */
  readonly pause: () => Promise<boolean>
  /** Says elsewhere, such as in another thread, what is wrong with a text that cannot be read in parts. */
  readonly findProblem: (text: string) => Promise<DocumentProblem | null>
  /** What was just typed could not be read near its place, and so most likely not at all: that is asked first. */
  readonly isTyped?: boolean
}

/** Longer than this, and a key press would have to wait. */
const stepMs = 8

/** Reads a long text in small steps, so that `openDocument` has it at hand. False where it was ended. */
export async function readAhead(text: string, { pause, findProblem, isTyped = false }: AheadTools): Promise<boolean> {
  const unmarked = withoutByteOrderMark(text)
  if (isAtHand(unmarked)) return true
  const isBroken = async () => {
    const problem = await findProblem(text)
    if (problem !== null) keepTree(unmarked, null, problem)
    return problem !== null
  }
  if (isTyped && (await isBroken())) return true
  const parts = readTreeInParts(unmarked, isJson(unmarked))
  for (let started = performance.now(); ; ) {
    const { done, value: tree } = parts.next()
    if (done === true) {
      if (tree !== null) keepTree(unmarked, tree, null)
      else if (!isTyped) await isBroken()
      return true
    }
    if (performance.now() - started < stepMs) continue
    if (!(await pause())) return false
    started = performance.now()
  }
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
