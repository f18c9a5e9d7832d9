/** What the palette offers in a connector: its streams, their sections, its pages, and what can be done with it. */
import { wantSection } from '../fields/wanted-section.ts'
import { keyLabel } from '../keys/use-keys.ts'
import type { Command } from '../palette/commands.ts'
import { useCommands } from '../palette/offered.ts'
import { currentRoute, goTo } from '../router.ts'
import { save } from '../session/saving.ts'
import type { SessionStore } from '../session/session.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { formSections } from '../stream/form-sections.ts'
import { switchView } from '../yaml/switch-view.ts'
import { deleteOpen, duplicateOpen } from './open-connector-actions.ts'
import { downloadExport } from './exports.ts'
import { findPart, isForm, pageLabels, pages, partOf } from './outline-parts.ts'
import { goToEdit } from './edit-or-test.ts'
import { focusRowIfLost } from './focus-row.ts'
import { startRenaming } from './renaming.ts'
import type { StreamPlace } from './use-streams.ts'

export function useEditorCommands(streams: readonly StreamPlace[]): void {
  const store = useSessionStore()
  useCommands(() => [
    ...actions(store),
    ...streams.map(
      ({ name }): Command => ({
        id: `stream ${name}`,
        group: 'Streams',
        label: name,
        run() {
          goTo({ part: name, view: 'form' })
          focusRowIfLost(name)
        },
      }),
    ),
    ...sectionCommands(streams),
    ...pages.map(
      (page): Command => ({
        id: `page ${page}`,
        group: 'Pages',
        label: pageLabels[page],
        run() {
          goToEdit({ part: partOf(page), view: 'form' })
          if (isForm({ kind: 'page', page })) wantSection({ title: pageLabels[page], takesFocus: true })
        },
      }),
    ),
  ])
}

/** Those of the stream that is open are listed; those of the others are found by its name and theirs. */
function sectionCommands(streams: readonly StreamPlace[]): Command[] {
  const open = findPart(currentRoute().part, streams)
  return streams.flatMap((stream) => {
    const isOpen = open.kind === 'stream' && open.stream.name === stream.name
    return formSections.map(({ title, words }) => ({
      id: `section ${stream.name} ${title}`,
      group: 'Sections',
      label: isOpen ? title : `${stream.name} › ${title}`,
      // Of all streams, they would hide everything else.
      words: isOpen ? `${stream.name} ${words}` : stream.name,
      isHidden: !isOpen,
      run() {
        goToEdit({ part: stream.name, view: 'form' })
        wantSection({ title, takesFocus: true })
      },
    }))
  })
}

function actions(store: SessionStore): Command[] {
  const { name, text, canUndo, canRedo } = store.get()
  const { view, part } = currentRoute()
  const action = (id: string, label: string, run: () => void, more: Partial<Command> = {}): Command => ({
    id,
    group: 'Actions',
    label,
    run,
    ...more,
  })
  return [
    action('save', 'Save', () => void save(store), { hint: keyLabel('mod+s') }),
    view === 'form'
      ? action('yaml', 'Switch to YAML', () => switchView(store, 'yaml', part), { words: 'text manifest view' })
      : action('form', 'Switch to the form', () => switchView(store, 'form', part), { words: 'view' }),
    ...(canUndo ? [action('undo', 'Undo', store.undo, { hint: keyLabel('mod+z') })] : []),
    ...(canRedo ? [action('redo', 'Redo', store.redo, { hint: keyLabel('mod+shift+z') })] : []),
    action('export-yaml', 'Export YAML', () => void downloadExport(name, text, 'yaml'), { words: 'download' }),
    action('export-program', 'Export TypeScript program', () => void downloadExport(name, text, 'typescript'), {
      words: 'download',
    }),
    action('rename', 'Rename the connector', startRenaming),
    action('duplicate', 'Duplicate the connector', () => void duplicateOpen(store), { words: 'copy' }),
    action('delete', 'Delete the connector', () => void deleteOpen(store), { words: 'remove' }),
    action('all', 'All connectors', () => goTo({ connector: null, part: null, view: 'form' }), { words: 'list home' }),
  ]
}
