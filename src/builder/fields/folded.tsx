/** Fields that few need, one click away. */
import type { ReactNode } from 'react'
import './folded.css'

export function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="folded">
      <summary>{title}</summary>
      <div className="content">{children}</div>
    </details>
  )
}
