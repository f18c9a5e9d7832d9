/** A manifest and a config that fits it → every stream it has, those made from a list among them. */
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import { normalizeConfig, validateConfig } from '../../engine/config/normalize-config.ts'
import type { ResolvedStream } from '../../engine/streams/resolve-streams.ts'
import { streamsOf } from '../../engine/streams-of.ts'
import { customToolsOf, openRunOf } from '../../read.ts'
import { movingClock } from './calendar.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { answerOf, type Endpoint } from './endpoint.ts'
import { resolverEndpoints } from './endpoints.ts'
import type { AnsweringServer } from './server.ts'

export type FoundStreams = {
  /** As the rules of the spec leave it. */
  readonly config: Config
  readonly streams: readonly ResolvedStream[]
  /** What is asked to find the streams. */
  readonly before: readonly Endpoint[]
}

export async function findStreams(
  server: AnsweringServer,
  manifest: LoadedManifest,
  given: Config,
): Promise<FoundStreams> {
  const tools = customToolsOf(manifest)
  const { config } = await normalizeConfig(manifest, given, tools)
  await validateConfig(manifest, config, tools)
  const before = resolverEndpoints(manifest.root, config)
  const network = server.network((request) => answerOf(before, request))
  const { run, close } = await openRunOf(manifest, { config, isNormalized: true, network, ...movingClock() })
  try {
    return { config, streams: await streamsOf(run), before }
  } finally {
    await close()
    await network.close()
  }
}
