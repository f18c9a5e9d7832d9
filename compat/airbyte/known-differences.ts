/** Streams that differ from Airbyte on purpose → the difference, as docs/compatibility.md names it. */

/** By connector, or by connector and stream. */
export const knownDifferences: Readonly<Record<string, string>> = {
  appfollow: 'empty-credential',
  fastly: 'parents-that-come-again',
  insightful: 'own-format-first',
  pardot: 'link-parameters',
  'ramp/transactions': 'last-record-before-filter',
}

/** @param stream its connector's name, a slash, its own */
export function differenceOf(stream: string): string | null {
  const [connector = ''] = stream.split('/')
  return knownDifferences[stream] ?? knownDifferences[connector] ?? null
}
