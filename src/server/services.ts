/** What the routes work with; handed in, so that tests and `turnleaf serve` decide where things live. */
import type { Egress } from '../engine/response/egress.ts'
import type { Syncs } from './syncs/syncs.ts'

export type Services = {
  /** TURNLEAF_HOME: `connectors/` and the embedded database are in it. */
  readonly home: string
  /** Folders in `connectors/` that are nobody's work: those of the package itself, in a checkout. */
  readonly leftOut?: readonly string[]
  /** The built web app. */
  readonly pages: string
  /** The address of the sample API; null where none runs. */
  readonly lab: string | null
  /** Asked of every request; null where only this machine can send one. */
  readonly token: string | null
  /** Which addresses test reads and syncs may reach. */
  readonly egress: Egress
  /** What runs behind the requests; ended by whoever opened it. */
  readonly syncs: Syncs
}
