/** A request that was sent to find something out. Probes are few, and each is listed. */

export type Probe = {
  /** What it was to find out. */
  readonly why: string
  readonly method: string
  /** Without secrets. */
  readonly url: string
  /** What the URL does not show: headers, a body. Without secrets. */
  readonly sent?: string
  /** Null when no response came. */
  readonly status: number | null
  /** The response in words: `100 records, the first is 101`. */
  readonly saw: string
}
