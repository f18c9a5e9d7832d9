/** Three columns: what there is, the form or the text of it, and the test panel. */
import { usePlace } from '../place.ts'
import { useSession } from '../session/use-session.tsx'
import { StreamForm } from '../stream/stream-form.tsx'
import { TestPanel } from '../test/test-panel.tsx'
import { YamlPanel } from '../yaml/yaml-panel.tsx'
import './editor.css'
import { EditorHeader } from './editor-header.tsx'
import { Outline } from './outline.tsx'
import { useStreams } from './use-streams.ts'

export function Editor() {
  const { part, view } = usePlace()
  const streams = useStreams()
  const name = useSession((session) => session.name)
  const stream = streams.find((one) => one.name === part) ?? streams[0]
  return (
    <div className="editor">
      <EditorHeader name={name} view={view} />
      <Outline streams={streams} current={stream?.name ?? null} />
      <main className="middle">
        {view === 'yaml' ? <YamlPanel /> : stream !== undefined && <StreamForm key={stream.name} stream={stream} />}
      </main>
      <aside className="right" aria-label="Test">
        <TestPanel stream={stream?.name ?? null} />
      </aside>
    </div>
  )
}
