/** One connector: opened, then edited until the tab is closed. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Connector } from '../../server/wire/connector.ts'
import { openConnector } from '../api/connectors.ts'
import { openSession } from '../session/session.ts'
import { SessionProvider } from '../session/use-session.tsx'
import { Editor } from './editor.tsx'

export function EditorPage({ name }: { name: string }) {
  const { data, error } = useQuery({ queryKey: ['connector', name], queryFn: () => openConnector(name) })
  if (data !== undefined) return <OpenedEditor connector={data} />
  return <main>{error === null ? <p>Opening {name}</p> : <p role="alert">{error.message}</p>}</main>
}

function OpenedEditor({ connector: { name, text, version } }: { connector: Connector }) {
  const [store] = useState(() => openSession(name, { text, version }))
  return (
    <SessionProvider store={store}>
      <Editor />
    </SessionProvider>
  )
}
