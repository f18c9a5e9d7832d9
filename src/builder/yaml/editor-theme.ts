/** The editor in the colours of the page, which are variables: one theme for light and dark. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--ink)', fontWeight: '600' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--text-colour)' },
  { tag: [tags.lineComment, tags.comment], color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.labelName, tags.typeName, tags.keyword, tags.meta], color: 'var(--word-colour)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--faint)' },
])

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--raised)', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overscrollBehavior: 'contain' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 16px 0 4px' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '32px', padding: '0 4px 0 8px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--sunk)' },
  '.cm-activeLineGutter': { color: 'var(--ink)' },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '4px 2px' },
  // Three shapes, since colour alone says nothing to many.
  '.cm-lint-marker': { width: '10px', height: '10px', content: 'none !important', cursor: 'help' },
  '.cm-lint-marker-error': { borderRadius: '50%', backgroundColor: 'var(--bad)' },
  '.cm-lint-marker-warning': { clipPath: 'polygon(50% 0, 100% 100%, 0 100%)', backgroundColor: 'var(--warning)' },
  '.cm-lint-marker-info': { backgroundColor: 'var(--faint)' },
  '.cm-foldGutter .cm-gutterElement': { padding: '0 4px', cursor: 'pointer' },
  '.cm-foldPlaceholder': { border: '1px solid var(--edge)', backgroundColor: 'var(--sunk)', color: 'var(--soft)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--wash)' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--leaf) 20%, transparent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--leaf) 45%, transparent)' },
  '.cm-content ::selection': { backgroundColor: 'color-mix(in srgb, var(--leaf) 30%, transparent)' },
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy 1px', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warning)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--faint)' },
  '.template': { fontWeight: '400' },
  '.template-mark, .template-sign, .template-comment': { color: 'var(--faint)' },
  '.template-name, .template-filter': { color: 'var(--leaf)' },
  '.template-text, .template-number': { color: 'var(--text-colour)' },
  '.template-word': { color: 'var(--word-colour)' },
})

const popups = EditorView.theme({
  '.cm-tooltip': {
    maxWidth: 'min(520px, 90vw)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: 'var(--popover)',
    font: '13px/1.5 var(--sans)',
  },
  '.cm-tooltip-lint': { padding: '4px', borderRadius: 'var(--radius)' },
  '.cm-diagnostic': { padding: '4px 8px', border: 'none' },
  '.cm-diagnostic p': { margin: '2px 0 0', color: 'var(--soft)' },
  '.cm-diagnostic code': { color: 'var(--faint)', font: '12px var(--mono)' },
  '.severity.error': { color: 'var(--bad)' },
  '.severity.warning': { color: 'var(--warning)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '260px', padding: '4px', font: '13px/1.5 var(--sans)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', borderRadius: '4px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--wash)', color: 'var(--ink)' },
  '.cm-completionLabel': { fontFamily: 'var(--mono)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { marginLeft: '16px', color: 'var(--soft)', fontStyle: 'normal', fontSize: '12px' },
})

const search = EditorView.theme({
  '.cm-panels': { backgroundColor: 'var(--sunk)', color: 'var(--ink)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 8px', font: '13px/1.5 var(--sans)' },
  '.cm-panel.cm-search label': { fontSize: '13px', margin: '0 8px 0 0' },
  '.cm-textfield': {
    minHeight: '26px',
    padding: '0 8px',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--raised)',
    color: 'inherit',
    font: '13px var(--mono)',
  },
  '.cm-button': {
    minHeight: '26px',
    padding: '0 8px',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    background: 'var(--raised)',
    color: 'inherit',
    font: 'inherit',
  },
  '.cm-button:active': { backgroundImage: 'none' },
  '.cm-panel.cm-search [name=close]': { top: '8px', right: '8px', color: 'var(--soft)', fontSize: '18px' },
  ':is(.cm-textfield, .cm-button, [name=close]):focus-visible': { outline: '2px solid var(--leaf)' },
})

export const editorTheme: Extension = [look, popups, search, syntaxHighlighting(colours)]
