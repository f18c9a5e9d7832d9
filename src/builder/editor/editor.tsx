/** Three columns: what there is, the form or the text of it, and the test panel. Fewer where there is less room. */
import { type ComponentProps, type CSSProperties, useEffect, useRef, useState } from 'react'
import { importDropped, useDroppedFile } from '../connectors/use-dropped-file.ts'
import { useKeys } from '../keys/use-keys.ts'
import { showNotice } from '../notice/notices.ts'
import { useRoute } from '../router.ts'
import { save } from '../session/saving.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { TestPanel } from '../test-reads/test-panel.tsx'
import { TestedStream } from '../test-reads/tested-stream.ts'
import { useScrollMemory } from './use-scroll-memory.ts'
import { useTitle } from '../use-title.ts'
import { Banners } from './banners.tsx'
import { useColumn } from './column-widths.ts'
import './editor.css'
import { useEditorCommands } from './editor-commands.ts'
import { EditorHeader } from './editor-header.tsx'
import { SelectedPart } from './selected-part.tsx'
import { Outline, OutlineMenu } from './outline.tsx'
import { showPane, usePane } from './edit-or-test.ts'
import { findPart, type OutlinePart, pageLabels } from './outline-parts.ts'
import { ProblemsMenu } from '../yaml/problems-menu.tsx'
import { Segments } from './segments.tsx'
import { Splitter } from './splitter.tsx'
import { UndoButtons } from './undo-buttons.tsx'
import { useRoom } from './use-room.ts'
import { type StreamPlace, useStreams } from './use-streams.ts'

const panes = [
  { name: 'edit', label: 'Edit' },
  { name: 'test', label: 'Test' },
] as const

export function Editor() {
  const store = useSessionStore()
  const { part: address, view } = useRoute()
  const streams = useStreams()
  const name = useSession((session) => session.name)
  const part = findPart(address, streams)
  const partName = part.kind === 'stream' ? part.stream.name : part.kind === 'page' ? pageLabels[part.page] : null
  const tested = useTested(part, streams)
  // A sync is about the whole connector: it has the room of the test panel too.
  const isAlone = part.kind === 'page' && part.page === 'sync' && view === 'form'
  const room = useRoom()
  const pane = usePane()
  const [outlineWidth, setOutlineWidth] = useColumn('outline')
  const [testWidth, setTestWidth] = useColumn('test')
  // Where there is room for one pane only, the one that is shown is what the page is about.
  const isTestMain = !isAlone && room !== 'three' && pane === 'test'
  const widths = { '--outline-width': `${outlineWidth}px`, '--test-width': `${testWidth}px` } as CSSProperties

  const middle = useRef<HTMLElement>(null)
  useScrollMemory(middle, `${view} ${address ?? ''}`)

  useDroppedFile((file) =>
    showNotice({
      text: `${file.name} can become a connector of its own. ${name} stays as it is.`,
      action: { label: 'Import it', run: () => importDropped(file) },
    }),
  )
  useTitle(partName, name)
  useEditorCommands(streams)
  useKeys({ 'mod+s': () => void save(store), 'mod+z': store.undo, 'mod+shift+z': store.redo, 'mod+y': store.redo })
  useEffect(() => {
    // From the list, start at the top, unless a required input is missing.
    if (document.activeElement === document.body) document.getElementById('connector-name')?.focus()
  }, [])

  return (
    <TestedStream value={tested}>
      <div className="editor" data-room={room} style={widths}>
        <EditorHeader name={name} view={view} room={room} />
        <Banners />
        {(room === 'one' || (room === 'two' && !isAlone)) && (
          <section className="pane-bar" aria-label="Panes">
            {room === 'one' && <NarrowTools streams={streams} part={part} label={partName ?? 'Streams'} />}
            {isAlone || <Segments label="What to do" chosen={pane} choices={panes} onChoose={showPane} />}
          </section>
        )}
        <div className="columns" data-alone={isAlone || undefined}>
          {room !== 'one' && (
            <nav className="left" aria-label="Settings and streams">
              <Outline streams={streams} part={part} />
              {room === 'three' && (
                <Splitter
                  column="outline"
                  label="Width of the outline"
                  width={outlineWidth}
                  onResize={setOutlineWidth}
                />
              )}
            </nav>
          )}
          <main
            ref={middle}
            className="middle"
            id={isTestMain ? undefined : 'content'}
            tabIndex={-1}
            hidden={isTestMain}
          >
            <SelectedPart part={part} view={view} />
          </main>
          {isAlone || (
            <div
              className="right"
              role={isTestMain ? 'main' : 'complementary'}
              aria-label="Test"
              {...(isTestMain && { id: 'content', tabIndex: -1 })}
              hidden={room !== 'three' && !isTestMain}
            >
              {room === 'three' && (
                <Splitter column="test" label="Width of the test panel" width={testWidth} onResize={setTestWidth} />
              )}
              <div className="scroll">
                <TestPanel stream={tested} />
              </div>
            </div>
          )}
        </div>
      </div>
    </TestedStream>
  )
}

/** On a page of settings, the test panel stays with the stream one came from. */
function useTested(part: OutlinePart, streams: readonly StreamPlace[]): string | null {
  const shown = part.kind === 'stream' ? part.stream.name : null
  const [last, setLast] = useState(shown)
  if (shown !== null && shown !== last) setLast(shown)
  return streams.find(({ name }) => name === (shown ?? last))?.name ?? streams[0]?.name ?? null
}

/** What the outline and the header hold where there is more room. */
function NarrowTools(outline: ComponentProps<typeof OutlineMenu>) {
  return (
    <>
      <OutlineMenu {...outline} />
      <span className="space" />
      <ProblemsMenu />
      <UndoButtons />
    </>
  )
}
