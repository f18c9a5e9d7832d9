/** Streams that no response can bring through, and why: Airbyte refuses them too, or the response would need to know too much. */

export type Exception = {
  /** Matches every reason the runner gives. */
  readonly gives: RegExp
  readonly because: string
}

/** By connector, or by connector and stream. */
export const exceptions: Readonly<Record<string, Exception>> = {
  postmarkapp: {
    gives: /request\/option-collision/,
    because: 'page size and page token both write `offset`; Airbyte refuses the manifest for it, too',
  },
  piwik: {
    gives: /cannot lead to the next|pages in/,
    because: 'its cursor is the whole object of links, sent as an address; Airbyte cannot turn its page either',
  },
  adjust: {
    gives: /there is no `strftime` in str/,
    because: 'without `until_today` it asks a text for `strftime`; Airbyte fails on it, too',
  },
  'gong/callTranscripts': {
    gives: /is not in the list/,
    because: 'its records must repeat the requested ids, in a group of a body',
  },
}

export function exceptionFor(connector: string, stream: string, reasons: readonly string[]): string | null {
  const exception = exceptions[`${connector}/${stream}`] ?? exceptions[connector]
  return exception !== undefined && reasons.every((reason) => exception.gives.test(reason)) ? exception.because : null
}
