/** The address → what is shown: the list of connectors, or one of them. Around both, what concerns the whole page. */
import { useEffect } from 'react'
import { listenForChanges, onChange } from './api/listen-for-changes.ts'
import { queries } from './api/queries.ts'
import { onReturn } from './api/reach.ts'
import { ConnectorsPage } from './connectors/connectors-page.tsx'
import { refreshList } from './connectors/actions.ts'
import { lazyPart, loadPartsAhead } from './lazy-part.tsx'
import { NoticeBar } from './notice/notice-bar.tsx'
import { followLink, routePath, useRoute } from './router.ts'
import { ServerBanner } from './server-banner.tsx'
import { Boundary } from './boundary.tsx'
import { useTitle } from './use-title.ts'
import './connectors/connectors.css'

const EditorPage = lazyPart(() => import('./editor/editor-page.tsx').then((loaded) => loaded.EditorPage))

export function App() {
  const { connector, isUnknown } = useRoute()
  useEffect(listenForChanges, [])
  useEffect(loadPartsAhead, [connector])
  useEffect(() => onChange(refreshList), [])
  // What could not be requested in between.
  useEffect(() => onReturn(() => void queries.invalidateQueries()), [])
  return (
    <div className="app">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <ServerBanner />
      <Boundary key={connector}>
        {isUnknown ? (
          <UnknownPage />
        ) : connector === null ? (
          <ConnectorsPage />
        ) : (
          <EditorPage key={connector} name={connector} />
        )}
      </Boundary>
      <NoticeBar />
    </div>
  )
}

const listRoute = { connector: null, part: null, view: 'form', isUnknown: false } as const

/** An address that leads nowhere: says so, and leads back. */
function UnknownPage() {
  useTitle('Not found')
  return (
    <div className="connectors-page">
      <main id="content">
        <h1>There is no page at this address</h1>
        <p>
          <code>{window.location.pathname}</code> is not an address of the builder.
        </p>
        <p>
          <a className="button" href={routePath(listRoute)} onClick={(event) => followLink(event, listRoute)}>
            Show all connectors
          </a>
        </p>
      </main>
    </div>
  )
}
