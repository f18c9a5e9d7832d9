/** Diagnosis, detection and survey of a stream. */
import { lines, linesType } from '../responses.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { detecting } from './detection.ts'
import { diagnosing } from './diagnosis.ts'
import { surveying } from './survey.ts'
import type { ReadLimit } from '../read-limit.ts'
import { type Route, route } from '../route.ts'
import type { ServerSecrets } from '../secrets/server-secrets.ts'
import type { Services } from '../services.ts'
import { detectionEvent, detectionRequest } from '../wire/detection.ts'
import { diagnosisEvent, diagnosisRequest } from '../wire/diagnosis.ts'
import { surveyEvent, surveyRequest } from '../wire/survey.ts'

export function proofRoutes(
  { egress }: Services,
  connectors: Connectors,
  limit: ReadLimit,
  secrets: Pick<ServerSecrets, 'fill'>,
): Route[] {
  async function begin(connector: string | undefined) {
    const folder = await connectors.folderIfSaved(connector)
    const slot = limit.take()
    return { folder, egress, onEnd: () => slot[Symbol.dispose]() }
  }

  return [
    route({
      method: 'post',
      path: '/v1/diagnoses',
      id: 'startDiagnosis',
      tag: 'building',
      summary: 'Diagnose the pagination of a stream, and propose fixes',
      description: 'Reads pages, and sends some additional requests to find causes. Disconnecting ends it.',
      takes: { body: diagnosisRequest },
      responses: { 200: { description: 'One event per line.', body: diagnosisEvent, type: linesType } },
      problems: [404, 409, 422, 429],
      async handle({ body, signal }) {
        const { config, wrapNetwork } = await secrets.fill(body.config)
        return lines(diagnosing({ ...body, config }, { ...(await begin(body.connector)), wrapNetwork }), signal)
      },
    }),
    route({
      method: 'post',
      path: '/v1/detections',
      id: 'startDetection',
      tag: 'building',
      summary: 'Detect the pagination of a URL, or of a stream',
      description: 'Sends at most twelve requests, one after the other. Disconnecting ends it.',
      takes: { body: detectionRequest },
      responses: { 200: { description: 'One event per line.', body: detectionEvent, type: linesType } },
      problems: [404, 409, 422, 429],
      async handle({ body, signal }) {
        if (!('text' in body)) return lines(detecting(body, await begin(undefined)), signal)
        const { config, wrapNetwork } = await secrets.fill(body.config)
        return lines(detecting({ ...body, config }, { ...(await begin(body.connector)), wrapNetwork }), signal)
      },
    }),
    route({
      method: 'post',
      path: '/v1/surveys',
      id: 'startSurvey',
      tag: 'building',
      summary: 'Survey which faults of an API a stream survives or reports',
      description:
        'Reads from a local API that responds as the manifest expects, with one fault at a time. No other API is contacted.',
      takes: { body: surveyRequest },
      responses: { 200: { description: 'One event per line.', body: surveyEvent, type: linesType } },
      problems: [429],
      handle: async ({ body, signal }) => lines(surveying(body, await begin(body.connector)), signal),
    }),
  ]
}
