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
    because: 'page size and page token both write `offset`; Airbyte refuses the manifest, too',
  },
  piwik: {
    gives: /cannot lead to the next|pages in/,
    because: 'its cursor is an object of links, sent as a URL; Airbyte cannot read its second page either',
  },
  adjust: {
    gives: /there is no `strftime` in str/,
    because: 'without `until_today` it calls `strftime` on a string; Airbyte fails, too',
  },
  'gong/callTranscripts': {
    gives: /is not in the list/,
    because: 'its records must repeat the ids in the request body',
  },
}

export function exceptionFor(connector: string, stream: string, reasons: readonly string[]): string | null {
  const exception = exceptions[`${connector}/${stream}`] ?? exceptions[connector]
  return exception !== undefined && reasons.every((reason) => exception.gives.test(reason)) ? exception.because : null
}
