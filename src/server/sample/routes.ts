/** Something to begin with. */
import { z } from 'zod'
import { ConnectorError } from '../../std/errors.ts'
import { json } from '../answers.ts'
import { type Route, route } from '../route.ts'
import { sampleName, sampleText } from './sample.ts'
import type { Services } from '../services.ts'
import { connectorName } from '../wire/connector.ts'

const sample = z
  .object({
    url: z.url().describe('Where the sample API listens.'),
    name: connectorName,
    text: z.string().describe('A manifest for it.'),
  })
  .meta({ id: 'Sample' })

export function sampleRoutes({ lab }: Services): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/sample',
      id: 'getSample',
      tag: 'building',
      summary: 'A sample API, and a manifest that reads it',
      answers: { 200: { description: 'Both run on this machine.', body: sample } },
      problems: [404],
      handle() {
        if (lab !== null) return json({ url: lab, name: sampleName, text: sampleText(lab) })
        throw new ConnectorError('server/not-found', 'There is no sample API here.', {
          hint: 'It runs where `turnleaf serve` listens on this machine only.',
        })
      },
    }),
  ]
}
