/** Completion for the editor: keys and values of manifests, and names inside templates. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import type { EditorState, Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { SessionStore } from '../session/session.ts'
import { offerAt } from '../templates/completion.ts'
import type { TemplateNames } from '../templates/template-names.ts'
import { type ManifestOffer, offersAt } from './manifest-offers.ts'
import { referenceTargets } from './reference-targets.ts'
import { type Lines, writtenPlace } from './written-place.ts'

export type CompletionSources = { readonly store: SessionStore; readonly names: () => TemplateNames }

export function completeManifest({ store, names }: CompletionSources) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos)
    const template = offerAt(line.text, pos - line.from, names(), explicit && isInMarks(line.text, pos - line.from))
    if (template !== null) {
      return {
        from: line.from + template.from,
        options: template.options.map(({ label, insert, type, sample }) => ({
          label,
          apply: insert,
          detail: [type, sample].filter(Boolean).join('  '),
        })),
      }
    }
    const place = writtenPlace(linesOf(state.doc), line.number - 1, pos - line.from)
    if (place === null || (!explicit && place.begun === '' && place.key === null)) return null
    const offers = offersAt(place, () => referenceTargets(store.get().document.value))
    if (offers.length === 0) return null
    return { from: pos - place.begun.length, options: offers.map(shown), validFor: /^[\w$#/"': -]*$/ }
  }
}

const isInMarks = (text: string, caret: number) => text.lastIndexOf('{{', caret) > text.lastIndexOf('}}', caret - 1)

function linesOf(doc: Text): Lines {
  // All at once: looking for one line after the other would take longer than writing a key may.
  const lines = doc.toJSON()
  return { count: lines.length, at: (line) => lines[line] ?? '' }
}

function shown({ label, insert, detail, isNeeded, hasNextOffer }: ManifestOffer, index: number): Completion {
  return {
    label,
    detail,
    // As the table has them, not by the alphabet: what is needed first.
    boost: (isNeeded ? 50 : 0) - Math.min(index, 49),
    apply(view: EditorView, _: Completion, from: number, to: number) {
      view.dispatch({
        changes: { from, to: endOfValue(view.state, to), insert },
        selection: { anchor: from + insert.length },
        scrollIntoView: true,
        userEvent: 'input.complete',
      })
      if (hasNextOffer) startCompletion(view)
    },
  }
}

/** A closing quote that the editor set by itself is written over. */
function endOfValue(state: EditorState, to: number): number {
  return /["']/.test(state.sliceDoc(to, to + 1)) ? to + 1 : to
}
