/** What the middle column shows: the text, a stream's form, one of the pages, or the way to a first stream. */
import type { View } from '../place.ts'
import { AuthenticationPage } from '../settings/authentication-page.tsx'
import { BaseUrlPage } from '../settings/base-url-page.tsx'
import { InputsPage } from '../settings/inputs-page.tsx'
import { StreamForm } from '../stream/stream-form.tsx'
import { SyncPage } from '../sync/sync-page.tsx'
import { VersionsPage } from '../versions/versions-page.tsx'
import { YamlPanel } from '../yaml/yaml-panel.tsx'
import { FirstStream } from './first-stream.tsx'
import type { PageName, Part } from './parts.ts'

export function Middle({ part, view }: { part: Part; view: View }) {
  if (view === 'yaml') return <YamlPanel />
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
