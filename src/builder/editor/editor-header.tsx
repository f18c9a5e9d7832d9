/** The connector's name, its two views, its save state and its actions. */
import { deleteOpen, duplicateOpen } from './open-actions.ts'
import { Icon, Mark } from '../icons.tsx'
import { KeysButton } from '../keys/keys-help.tsx'
import { Menu, type MenuChoice } from '../menu/menu.tsx'
import { addressOf, followLink, goTo, useRoute, type View } from '../router.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { ThemeSwitch } from '../theme/theme-switch.tsx'
import { ProblemsMenu } from '../yaml/problems-menu.tsx'
import './editor-header.css'
import { downloadExport } from './exports.ts'
import { type PageName, pageLabels, partOf } from './parts.ts'
import { SaveButton, SaveStatus } from './save-state.tsx'
import { Segments } from './segments.tsx'
import { UndoButtons } from './undo-buttons.tsx'
import type { Room } from './use-room.ts'

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
      href={addressOf(target)}
      aria-current={place.part === target.part || undefined}
      onClick={(event) => followLink(event, target)}
    >
      {pageLabels[page]}
      {page === 'sync' && <Icon name="right" />}
    </a>
  )
}

export function EditorHeader({ name, view, room }: { name: string; view: View; room: Room }) {
  const store = useSessionStore()
  const exports: readonly MenuChoice[] = [
    { label: 'Export YAML', onChoose: () => void downloadExport(name, store.get().text, 'yaml') },
    { label: 'Export TypeScript program', onChoose: () => void downloadExport(name, store.get().text, 'typescript') },
  ]
  const pages: readonly MenuChoice[] = [
    { label: 'Versions', onChoose: () => goTo({ part: partOf('versions'), view: 'form' }) },
    { label: 'Sync', onChoose: () => goTo({ part: partOf('sync'), view: 'form' }) },
  ]
  const whole: readonly MenuChoice[] = [
    { label: 'Duplicate', onChoose: () => void duplicateOpen(store) },
    { label: 'Delete', isHarmful: true, onChoose: () => void deleteOpen(store) },
  ]
  const isWide = room === 'three'
  return (
    <header className="editor-header">
      <a
        className="home"
        href={addressOf(list)}
        aria-label="All connectors"
        title="All connectors"
        onClick={(event) => followLink(event, list)}
      >
        <Mark />
      </a>
      <h1 tabIndex={-1} id="connector-name">
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
      </h1>
      <Segments label="View" chosen={view} choices={views} onChoose={(one) => goTo({ view: one })} />
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
      {room !== 'one' && <KeysButton />}
      {isWide && <ThemeSwitch />}
    </header>
  )
}
