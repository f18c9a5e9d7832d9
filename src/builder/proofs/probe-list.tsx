/** The requests that were sent to find something out: what each was for, and what came back. */
import type { Probe } from '../../server/wire/probe.ts'
import { count } from '../../std/text/format-count.ts'
import './proving.css'

export function ProbeList({ probes }: { probes: readonly Probe[] }) {
  return (
    <ol className="probes" aria-label="Requests sent to find out">
      {probes.map(({ why, method, url, sent, status, saw }, index) => (
        <li key={index}>
          <p>{why}</p>
          <p className="asked mono">
            <b>{method}</b> {url}
            {sent !== undefined && <span className="sent"> {sent}</span>}
          </p>
          <p className="saw">
            {status !== null && <span className="status">{status}</span>} {saw}
          </p>
        </li>
      ))}
    </ol>
  )
}

/** One click away: most people want to know what follows from them. */
export function FoldedProbes({ probes }: { probes: readonly Probe[] }) {
  if (probes.length === 0) return null
  return (
    <details className="folded-probes">
      <summary>{count(probes.length, 'request')} sent to find out</summary>
      <ProbeList probes={probes} />
    </details>
  )
}

/** The probes among the events of a run. */
export function probesIn(events: readonly { readonly kind: string; readonly probe?: Probe }[]): Probe[] {
  return events.flatMap(({ probe }) => probe ?? [])
}
