/** Saves a body as a file; a large one is fetched part by part first. */
import { useState } from 'react'
import { type TextSource, wholeTextOf } from './text-source.ts'

export function DownloadButton({ name, source }: { name: string; source: TextSource }) {
  const [state, setState] = useState<'ready' | 'fetching' | 'failed'>('ready')
  async function download(): Promise<void> {
    setState('fetching')
    try {
      save(name, await wholeTextOf(source))
      setState('ready')
    } catch {
      setState('failed')
    }
  }
  return (
    <button type="button" className="button small" disabled={state === 'fetching'} onClick={() => void download()}>
      {state === 'failed' ? 'Could not download' : 'Download'}
    </button>
  )
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
