/** The operations of the Airbyte manifest server, for clients that were written for it. */
import type { z } from 'zod'
import { ConnectorError } from '../../std/errors.ts'
import { phrases, problemType } from '../../site/problem.ts'
import { json, problem, problemOf } from '../responses.ts'
import { type Asking, checkGiven, discoverGiven, fullResolveGiven, resolveGiven } from './operations.ts'
import { readGiven } from './test-read.ts'
import type { ReadLimit } from '../read-limit.ts'
import { type Route, route } from '../route.ts'
import type { Services } from '../services.ts'
import * as wire from '../wire/manifest-server.ts'

/** A client that waits for one answer has given up after this; ours is then what was read so far. */
const longestMs = 120_000

export function manifestServerRoutes({ egress }: Pick<Services, 'egress'>, limit: ReadLimit): readonly Route[] {
  /** Takes a turn, ends with the client or the clock, and answers failures as the manifest server does. */
  const operation = <Body extends z.ZodType>({ name, id, summary, body, answer, handle }: Operation<Body>): Route =>
    route({
      method: 'post',
      path: `/v1/manifest/${name}`,
      id,
      tag: 'manifest',
      summary,
      takes: { body },
      answers: {
        200: { description: 'What came of it.', body: answer },
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
      summary: 'A few pages of a stream, with every request and answer',
      body: wire.manifestReadRequest,
      answer: wire.streamRead,
      handle: readGiven,
    }),
    operation({
      name: 'check',
      id: 'checkManifest',
      summary: 'Whether a config works',
      body: wire.manifestRequest,
      answer: wire.checkAnswer,
      handle: checkGiven,
    }),
    operation({
      name: 'discover',
      id: 'discoverManifest',
      summary: 'The catalog of a manifest under a config',
      body: wire.manifestRequest,
      answer: wire.discoverAnswer,
      handle: discoverGiven,
    }),
    operation({
      name: 'resolve',
      id: 'resolveManifest',
      summary: 'A manifest without references and shorthands',
      body: wire.resolveRequest,
      answer: wire.manifestAnswer,
      handle: resolveGiven,
    }),
    operation({
      name: 'full_resolve',
      id: 'fullResolveManifest',
      summary: 'The same with the streams that its templates make',
      body: wire.fullResolveRequest,
      answer: wire.manifestAnswer,
      handle: fullResolveGiven,
    }),
  ]
}

type Operation<Body extends z.ZodType> = {
  readonly name: string
  readonly id: string
  readonly summary: string
  readonly body: Body
  readonly answer: z.ZodType
  readonly handle: (given: z.output<Body>, asking: Asking) => object | Promise<object>
}

/** Clients know 400 for whatever cannot be done, and keep 422 for bodies. */
function refusal(error: unknown): Response {
  if (!(error instanceof ConnectorError) || error.code.startsWith('server/')) return problem(error)
  const told = { ...problemOf(error), status: 400, title: phrases[400] }
  return json(told, 400, { 'Content-Type': problemType })
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
