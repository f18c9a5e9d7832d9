/** The probes among the events of a run. */
import type { Probe } from '../../server/wire/probe.ts'

export function probesIn(events: readonly { readonly kind: string; readonly probe?: Probe }[]): Probe[] {
  return events.flatMap(({ probe }) => probe ?? [])
}
