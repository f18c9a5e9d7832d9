/** The operations of the Airbyte manifest server, for clients that were written for it. */
import type { z } from 'zod'
import { ConnectorError, stageOf } from '../../std/errors.ts'
import { problemType } from '../../site/problem.ts'
import { reasonPhrases } from '../../std/text/reason-phrases.ts'
import { json, problemResponse, problemOf } from '../responses.ts'
import { type OperationTools, checkGiven, discoverGiven, fullResolveGiven, resolveGiven } from './operations.ts'
import { readGiven } from './test-read.ts'
import type { ReadLimit } from '../read-limit.ts'
import { type Route, route } from '../route.ts'
import type { Services } from '../services.ts'
import * as wire from '../wire/manifest-server.ts'

/** Clients give up after this time; the response then has what was read so far. */
const longestMs = 120_000

export function manifestServerRoutes({ egress }: Pick<Services, 'egress'>, limit: ReadLimit): readonly Route[] {
  /** Counts against the limit, ends with the client or the timeout, and reports failures as the manifest server does. */
  const operation = <Body extends z.ZodType>({
    name,
    id,
    summary,
    description,
    body,
    response,
    handle,
  }: Operation<Body>): Route =>
    route({
      method: 'post',
      path: `/v1/manifest/${name}`,
      id,
      tag: 'manifest',
      summary,
      description,
      takes: { body },
      responses: {
        200: { description: 'The result.', body: response },
        422: { description: 'The body is not as described.', body: wire.invalidBody },
      },
      problems: [429],
      onInvalidBody,
      async handle({ body: given, signal: client }) {
        const signal = AbortSignal.any([client, AbortSignal.timeout(longestMs)])
        using _slot = limit.take()
        try {
          return json(await handle(given, { egress, signal }))
        } catch (error) {
          return refusal(error)
        }
      },
    })

  return [
    operation({
      name: 'test_read',
      id: 'testReadManifest',
      summary: 'Read a few pages of a stream, with every request and response',
      description:
        'Reads with the limits in the request. The response has slices, pages, requests, responses, an inferred schema and logs, in the shape of the Airbyte manifest server.',
      body: wire.manifestReadRequest,
      response: wire.streamRead,
      handle: readGiven,
    }),
    operation({
      name: 'check',
      id: 'checkManifest',
      summary: 'Check a config',
      description: 'Connects as the `check` of the manifest says, and reports success or the reason it failed.',
      body: wire.manifestRequest,
      response: wire.checkAnswer,
      handle: checkGiven,
    }),
    operation({
      name: 'discover',
      id: 'discoverManifest',
      summary: 'List the streams of a manifest with a config',
      description: 'The catalog of the connector: each stream with its schema, keys and sync modes.',
      body: wire.manifestRequest,
      response: wire.discoverAnswer,
      handle: discoverGiven,
    }),
    operation({
      name: 'resolve',
      id: 'resolveManifest',
      summary: 'Resolve references and shorthands of a manifest',
      description: 'Sends no request. The result is one tree without `$ref` and `$parameters`.',
      body: wire.resolveRequest,
      response: wire.manifestAnswer,
      handle: resolveGiven,
    }),
    operation({
      name: 'full_resolve',
      id: 'fullResolveManifest',
      summary: 'The same with the streams that its templates generate',
      description:
        'May send requests: dynamic streams are generated from the responses of the API, up to `stream_limit` of each template.',
      body: wire.fullResolveRequest,
      response: wire.manifestAnswer,
      handle: fullResolveGiven,
    }),
  ]
}

type Operation<Body extends z.ZodType> = {
  readonly name: string
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly body: Body
  readonly response: z.ZodType
  readonly handle: (given: z.output<Body>, tools: OperationTools) => object | Promise<object>
}

/** Clients expect 400 for failures, and 422 for invalid bodies. */
function refusal(error: unknown): Response {
  if (!(error instanceof ConnectorError) || stageOf(error.code) === 'server') return problemResponse(error)
  const body = { ...problemOf(error), status: 400, title: reasonPhrases[400] }
  return json(body, 400, { 'Content-Type': problemType })
}

function onInvalidBody(issues: readonly z.core.$ZodIssue[]): Response {
  const detail = issues.map(({ path, message, code }) => ({
    loc: ['body', ...path.map(locOf)],
    msg: message,
    type: code,
  }))
  return json({ detail } satisfies wire.InvalidBody, 422)
}

const locOf = (part: PropertyKey) => (typeof part === 'number' ? part : String(part))
