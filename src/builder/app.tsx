/** The address → what is shown: the list of connectors, or one of them. Around both, what concerns the whole page. */
import { useEffect } from 'react'
import { listenForChanges, onChange } from './api/listen-for-changes.ts'
import { queries } from './api/queries.ts'
import { onReturn } from './api/reach.ts'
import { ConnectorsPage } from './connectors/connectors-page.tsx'
import { refreshList } from './connectors/actions.ts'
import { UnknownPage } from './unknown-page.tsx'
import { lazyPart, loadPartsAhead } from './lazy-part.tsx'
import { NoticeBar } from './notice/notice-bar.tsx'
import { useRoute } from './router.ts'
import { ServerBanner } from './server-banner.tsx'
import { Boundary } from './boundary.tsx'

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
