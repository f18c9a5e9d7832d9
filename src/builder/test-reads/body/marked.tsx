/** Text in which what is searched for is marked, in any case. */
import type { ReactNode } from 'react'
import './marked.css'

export function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  const needle = wanted.toLowerCase()
  const lower = text.toLowerCase()
  if (needle === '' || !lower.includes(needle)) return text
  const parts: ReactNode[] = []
  let from = 0
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + needle.length)}</mark>)
    from = at + needle.length
  }
  return [...parts, text.slice(from)]
}
