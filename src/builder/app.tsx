/** The address → what is shown: the list of connectors, or one of them. */
import { ConnectorsPage } from './connectors/connectors-page.tsx'
import { EditorPage } from './editor/editor-page.tsx'
import { usePlace } from './place.ts'

export function App() {
  const place = usePlace()
  return place.connector === null ? <ConnectorsPage /> : <EditorPage key={place.connector} name={place.connector} />
}
