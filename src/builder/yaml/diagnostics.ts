/** Problems of a manifest → marks next to and under its lines. */
import type { Diagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'
import type { ManifestProblem } from '../../server/wire/problem.ts'

/** More would hide each other; the list names them all. */
const mostMarked = 500

export function diagnosticsOf(problems: readonly ManifestProblem[], state: EditorState): Diagnostic[] {
  return problems.slice(0, mostMarked).map((problem) => ({
    ...rangeOf(problem, state),
    severity: problem.severity === 'note' ? 'info' : problem.severity,
    message: `${problem.message} ${problem.hint}`,
    renderMessage: () => messageOf(problem),
  }))
}

/** From the reported place to the end of its line. Lines may have been deleted since the server checked. */
function rangeOf({ at: { line = 1, column = 1 } }: ManifestProblem, { doc }: EditorState) {
  const { from, to, text } = doc.line(Math.min(Math.max(line, 1), doc.lines))
  const start = from + Math.min(Math.max(column - 1, 0), text.length)
  // A place after the last letter marks that letter: a mark without width is invisible.
  return { from: start === to ? Math.max(start - 1, from) : start, to: from + text.trimEnd().length || to }
}

function messageOf({ severity, message, hint, code }: ManifestProblem): HTMLElement {
  const box = document.createElement('div')
  const part = (name: string, className: string, text: string) => {
    const made = document.createElement(name)
    made.className = className
    made.textContent = text
    box.append(made)
  }
  part('b', `severity ${severity}`, severity)
  part('span', 'message', ` ${message}`)
  part('p', 'hint', hint)
  part('code', 'code', code)
  return box
}
