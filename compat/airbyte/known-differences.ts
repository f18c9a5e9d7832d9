/** Streams that differ from Airbyte on purpose → the difference, as docs/compatibility.md names it. */

/** By connector, or by connector and stream. */
export const knownDifferences: Readonly<Record<string, string>> = {
  appfollow: 'empty-credential',
  'calendly/scheduled_events': 'template-type-error',
  'discord/messages': 'partitions-twice',
  fastly: 'parents-that-come-again',
  'gmail/messages_details': 'own-format-first',
  insightful: 'own-format-first',
  'instatus/public_data': 'origin',
  pardot: 'link-parameters',
  'ramp/transactions': 'last-record-before-filter',
  serpstat: 'template-type-error',
  shopwired: 'template-type-error',
  stockdata: 'values-in-one-string',
}

/** @param stream its connector's name, a slash, its own */
export function differenceOf(stream: string): string | null {
  const [connector = ''] = stream.split('/')
  return knownDifferences[stream] ?? knownDifferences[connector] ?? null
}
