/** What the middle column shows: the text, a stream's form, one of the pages, or the way to a first stream. */
import { lazyPart } from '../lazy-part.tsx'
import type { View } from '../router.ts'
import { useSession } from '../session/use-session.tsx'
import { StreamForm } from '../stream/stream-form.tsx'
import { YamlPanel } from '../yaml/yaml-panel.tsx'
import { isForm, type OutlinePart, type PageName } from './outline-parts.ts'
import { focusRowIfLost } from './focus-row.ts'
import { NewStream } from './new-stream.tsx'

const AuthenticationPage = lazyPart(() =>
  import('../settings/authentication-page.tsx').then((loaded) => loaded.AuthenticationPage),
)
const BaseUrlPage = lazyPart(() => import('../settings/base-url-page.tsx').then((loaded) => loaded.BaseUrlPage))
const InputsPage = lazyPart(() => import('../settings/inputs-page.tsx').then((loaded) => loaded.InputsPage))
const SyncPage = lazyPart(() => import('../sync/sync-page.tsx').then((loaded) => loaded.SyncPage))
const VersionsPage = lazyPart(() => import('../versions/versions-page.tsx').then((loaded) => loaded.VersionsPage))

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
      <NewStream onEnd={(added) => added !== null && focusRowIfLost(added)} />
    </div>
  )
}
