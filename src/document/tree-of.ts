/** A text → its tree, kept for the next question about the same text or one almost like it. */
import { YAMLException } from 'js-yaml'
import { ConnectorError } from '../std/errors.ts'
import { isJson } from '../engine/manifest/parse.ts'
import { readTree } from './read-tree.ts'
import { reparse } from './reparse.ts'
import { type SourceTree, Unreadable } from './source-tree.ts'

/** Null for a text that cannot be read. */
const known = new Map<string, SourceTree | null>()

/** A change asks about the text before and after it; undo and a second document ask about a few more. */
const mostKnown = 8

/** The tree of a text without a byte order mark; null when it is not one document that the engine could read. */
export function treeOf(text: string): SourceTree | null {
  const last = [...known.values()].findLast((tree) => tree !== null)
  const tree = known.get(text) ?? (known.has(text) ? null : readAnew(text, last))
  known.delete(text)
  known.set(text, tree)
  for (const oldest of known.keys()) {
    if (known.size <= mostKnown) break
    known.delete(oldest)
  }
  return tree
}

function readAnew(text: string, last: SourceTree | null | undefined): SourceTree | null {
  try {
    return (last && reparse(last, text)) ?? readTree(text, isJson(text))
  } catch (error) {
    const isRefused = error instanceof ConnectorError && error.code === 'manifest/too-large'
    if (isRefused || error instanceof YAMLException || error instanceof Unreadable) return null
    throw error
  }
}
