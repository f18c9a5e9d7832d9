/** The connector's name, its two views, its save state and its actions. */
import { useEffect } from 'react'
import { Icon, Mark } from '../icons.tsx'
import { KeysButton } from '../keys/keys-help.tsx'
import { Menu, type MenuChoice } from '../menu/menu.tsx'
import { followToEdit, goToEdit } from './edit-or-test.ts'
import { routePath, followLink, goTo, useRoute, type View } from '../router.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { ThemeSwitch } from '../theme/theme-switch.tsx'
import { ProblemsMenu } from '../yaml/problems-menu.tsx'
import { downloadExport } from './exports.ts'
import { pageLabels, type PageName, partOf } from './outline-parts.ts'
import { Segments } from './segments.tsx'
import { UndoButtons } from './undo-buttons.tsx'
import type { Room } from './use-room.ts'
import { RenameField } from '../connectors/rename-field.tsx'
import { PaletteButton } from '../palette/palette-button.tsx'
import { switchView } from '../yaml/switch-view.ts'
import { deleteOpen, duplicateOpen, renameOpen } from './open-connector-actions.ts'
import { endRenaming, startRenaming, useRenaming } from './renaming.ts'
import { keyLabel } from '../keys/use-keys.ts'
import { save, useSaveState } from '../session/saving.ts'
import './editor-header.css'

const views = [
  { name: 'form', label: 'Form' },
  { name: 'yaml', label: 'YAML' },
] as const

const list = { connector: null, part: null, view: 'form' } as const

function PageLink({ page }: { page: PageName }) {
  const place = useRoute()
  const target = { ...place, part: partOf(page), view: 'form' } as const
  return (
    <a
      className="button quiet"
      href={routePath(target)}
      aria-current={place.part === target.part || undefined}
      onClick={(event) => followToEdit(event, target)}
    >
      {pageLabels[page]}
      {page === 'sync' && <Icon name="right" />}
    </a>
  )
}

export function EditorHeader({ name, view, room }: { name: string; view: View; room: Room }) {
  const store = useSessionStore()
  const { part } = useRoute()
  const isRenaming = useRenaming()
  // A name that was not finished is not asked for in the next connector.
  useEffect(() => endRenaming, [])
  const exports: readonly MenuChoice[] = [
    { label: 'Export YAML', onChoose: () => void downloadExport(name, store.get().text, 'yaml') },
    { label: 'Export TypeScript program', onChoose: () => void downloadExport(name, store.get().text, 'typescript') },
  ]
  const pages: readonly MenuChoice[] = [
    { label: 'Versions', onChoose: () => goToEdit({ part: partOf('versions'), view: 'form' }) },
    { label: 'Sync', onChoose: () => goToEdit({ part: partOf('sync'), view: 'form' }) },
  ]
  const whole: readonly MenuChoice[] = [
    { label: 'Rename', onChoose: startRenaming },
    { label: 'Duplicate', onChoose: () => void duplicateOpen(store) },
    { label: 'Delete', isHarmful: true, onChoose: () => void deleteOpen(store) },
  ]
  const isWide = room === 'three'
  return (
    <header className="editor-header">
      <a
        className="home"
        href={routePath(list)}
        aria-label="All connectors"
        title="All connectors"
        onClick={(event) => followLink(event, list)}
      >
        <Mark />
      </a>
      <h1 tabIndex={-1} id="connector-name">
        {isRenaming ? (
          <RenameField name={name} onRename={(to) => renameOpen(store, to)} onEnd={endRenaming} />
        ) : (
          <Menu
            side="bottom-start"
            className="button quiet connector-name"
            face={
              <>
                <span className="text">{name}</span>
                <Icon name="down" />
              </>
            }
            choices={[
              { label: 'All connectors', onChoose: () => goTo(list) },
              null,
              ...(isWide ? [] : [...pages, ...exports, null]),
              ...whole,
            ]}
          />
        )}
      </h1>
      <div className="controls">
        <Segments label="View" chosen={view} choices={views} onChoose={(one) => switchView(store, one, part)} />
        {room !== 'one' && <ProblemsMenu />}
        <span className="space" />
        <SaveStatus />
        {room !== 'one' && <UndoButtons />}
        <SaveButton />
        {isWide && (
          <>
            <span className="rule" />
            <Menu
              className="button quiet"
              face={
                <>
                  Export <Icon name="down" />
                </>
              }
              choices={exports}
            />
            <PageLink page="versions" />
            <PageLink page="sync" />
            <span className="rule" />
          </>
        )}
        <PaletteButton />
        {room !== 'one' && <KeysButton />}
        {isWide && <ThemeSwitch />}
      </div>
    </header>
  )
}

const words = {
  saved: 'Saved',
  unsaved: 'Unsaved',
  saving: 'Saving',
  waiting: 'Saves when the server is back',
  failed: 'Not saved',
}

function SaveStatus() {
  const state = useSaveState()
  return (
    <span className="save-state" role="status" data-state={state.kind}>
      {state.kind === 'saved' && <Icon name="check" />}
      {state.kind === 'failed' && <Icon name="warning" />}
      {words[state.kind]}
    </span>
  )
}

function SaveButton() {
  const store = useSessionStore()
  const { kind } = useSaveState()
  const isNeeded = kind === 'unsaved' || kind === 'failed'
  return (
    <button
      type="button"
      className={isNeeded ? 'button main' : 'button'}
      // Not `disabled`: the button would lose the focus while it is being used.
      aria-disabled={!isNeeded || undefined}
      title={keyLabel('mod+s')}
      onClick={() => void save(store)}
    >
      Save
    </button>
  )
}
