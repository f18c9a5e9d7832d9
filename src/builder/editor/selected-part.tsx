/** What the middle column shows: the text, a stream's form, one of the pages, or the way to a first stream. */
import type { View } from '../router.ts'
import { AuthenticationPage } from '../settings/authentication-page.tsx'
import { BaseUrlPage } from '../settings/base-url-page.tsx'
import { InputsPage } from '../settings/inputs-page.tsx'
import { useSession } from '../session/use-session.tsx'
import { StreamForm } from '../stream/stream-form.tsx'
import { SyncPage } from '../sync/sync-page.tsx'
import { VersionsPage } from '../versions/versions-page.tsx'
import { YamlPanel } from '../yaml/yaml-panel.tsx'
import { isForm, type OutlinePart, type PageName } from './outline-parts.ts'
import { NewStream } from './new-stream.tsx'

export function SelectedPart({ part, view }: { part: OutlinePart; view: View }) {
  const isReadable = useSession((session) => session.isReadable)
  if (view === 'yaml') return <YamlPanel />
  // A form shows the last text that could be read: an edit of that would throw away what was written since.
  return (
    <fieldset className="form" disabled={!isReadable && isForm(part)}>
      <Shown part={part} />
    </fieldset>
  )
}

function Shown({ part }: { part: OutlinePart }) {
  switch (part.kind) {
    case 'stream':
      return <StreamForm key={part.stream.path.join('/')} stream={part.stream} />
    case 'page':
      return <Page page={part.page} />
    case 'none':
      return <FirstStream />
  }
}

function Page({ page }: { page: PageName }) {
  switch (page) {
    case 'base-url':
      return <BaseUrlPage />
    case 'authentication':
      return <AuthenticationPage />
    case 'inputs':
      return <InputsPage />
    case 'versions':
      return <VersionsPage />
    case 'sync':
      return <SyncPage />
  }
}

function FirstStream() {
  return (
    <div className="first-stream">
      <h2>Add the first stream</h2>
      <p>A stream is one kind of record the API offers: orders, customers, invoices.</p>
      <NewStream onEnd={() => {}} />
    </div>
  )
}
