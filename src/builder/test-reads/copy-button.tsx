/** Copies text, and confirms in the button itself. */
import { useEffect, useState } from 'react'

export type CopyButtonProps = {
  readonly label: string
  /** Produced on demand: long text may have to be fetched first. */
  readonly text: () => string | Promise<string>
}

/** Long enough to be read. */
const saidForMs = 2500

export function CopyButton({ label, text }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), saidForMs)
    return () => clearTimeout(timer)
  }, [said])
  async function copy(): Promise<void> {
    try {
      await copyText(await text())
      setSaid('Copied')
    } catch {
      setSaid('Could not copy')
    }
  }
  return (
    <>
      <button type="button" className="button small copy" onClick={() => void copy()}>
        {/* Both words keep their place, so that nothing moves. */}
        <span data-shown={said === null}>{label}</span>
        <span data-shown={said !== null} aria-hidden="true">
          {said ?? 'Copied'}
        </span>
      </button>
      <span className="hidden" aria-live="polite">
        {said}
      </span>
    </>
  )
}

/** The clipboard is for pages of this machine and of https; others copy what is selected. */
async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'hidden'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('the browser refused')
}
