/** What becomes of connectors, told as it happens. */
import type { Connectors } from './connectors.ts'
import { eventStream, eventsType } from '../event-stream.ts'
import { type Route, route } from '../route.ts'
import { connectorEvent } from '../wire/connector.ts'

export function changeRoutes(connectors: Connectors): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/changes',
      id: 'listenToChanges',
      tag: 'connectors',
      summary: 'Saves, deletions and changes on disk, as they happen',
      description:
        'Server-sent events, one JSON value each, with a comment every ten seconds. What happened before is not told: look at the list after connecting.',
      answers: { 200: { description: 'Until one of the two hangs up.', body: connectorEvent, type: eventsType } },
      problems: [429],
      handle: ({ signal }) => eventStream((send) => connectors.listen(send), signal),
    }),
  ]
}
