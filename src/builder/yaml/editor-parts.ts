/** What the editor can do, whatever it edits: numbers, folds, search, problems, keys. */
import { closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view'
import { editorTheme } from './editor-theme.ts'
import { templateMarks } from './template-marks.ts'
import { yamlLanguage } from './yaml-language.ts'

/** These belong to the page: they run a test, and save. */
const pageKeys = new Set(['Mod-Enter', 'Mod-s'])

export const editorParts: Extension = [
  lineNumbers(),
  lintGutter(),
  codeFolding(),
  foldGutter({ markerDOM: foldMarker }),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  bracketMatching(),
  closeBrackets(),
  indentOnInput(),
  indentUnit.of('  '),
  EditorState.tabSize.of(2),
  highlightSelectionMatches(),
  search({ top: true }),
  yamlLanguage,
  templateMarks,
  editorTheme,
  keymap.of([
    ...completionKeymap,
    ...searchKeymap,
    ...foldKeymap,
    ...lintKeymap,
    ...defaultKeymap.filter(({ key }) => key === undefined || !pageKeys.has(key)),
    indentWithTab,
  ]),
  EditorView.contentAttributes.of({
    'aria-label': 'Manifest as YAML',
    'aria-describedby': 'yaml-keys',
    // It has the focus anyway; this shows accessibility checkers that the scrolling area can be reached.
    tabindex: '0',
    autocorrect: 'off',
    spellcheck: 'false',
  }),
]

function foldMarker(isOpen: boolean): HTMLElement {
  const marker = document.createElement('span')
  marker.textContent = isOpen ? '⌄' : '›'
  marker.title = isOpen ? 'Fold' : 'Unfold'
  return marker
}
