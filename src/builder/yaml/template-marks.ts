/** Templates inside the text, in the colours that their fields have. Only what is on the screen is looked at. */
import { type Extension, Prec, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { type PartKind, templateParts } from '../templates/template-parts.ts'

const marks = new Map<PartKind, Decoration>(
  (['mark', 'name', 'member', 'text', 'number', 'word', 'filter', 'sign', 'comment'] as const).map((kind) => [
    kind,
    Decoration.mark({ class: `template template-${kind}` }),
  ]),
)

/** Inside the colours of the language, so that theirs win. */
export const templateMarks: Extension = Prec.highest(
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = decorate(view)
      }
      update({ docChanged, viewportChanged, view }: ViewUpdate): void {
        if (docChanged || viewportChanged) this.decorations = decorate(view)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
)

function decorate({ visibleRanges, state }: EditorView): DecorationSet {
  const built = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) {
    for (const part of templateParts(state.sliceDoc(from, to))) {
      const mark = marks.get(part.kind)
      if (mark !== undefined) built.add(from + part.from, from + part.to, mark)
    }
  }
  return built.finish()
}
