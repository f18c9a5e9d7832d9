/** Template text → the paths it reads (`response.meta.next` → `['meta', 'next']`) and the constants it compares them with. */
import { parseTemplate } from '../../engine/template/syntax/statements.ts'
import { normalise } from '../../engine/template/syntax/tokens.ts'
import { type Known, type Read, ReadFinder } from './read-finder.ts'

export type TemplateReads = { readonly reads: readonly Read[]; readonly constants: readonly unknown[] }

/** What cannot be parsed reads nothing: the engine will say so itself. */
export function readsOf(text: string, known: Known = {}): TemplateReads {
  const finder = new ReadFinder(known)
  try {
    finder.body(parseTemplate(normalise(text)))
  } catch {
    return { reads: [], constants: [] }
  }
  return { reads: finder.reads, constants: [...finder.constants] }
}
