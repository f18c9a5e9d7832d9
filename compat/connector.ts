/** One manifest → a report: whether it loads, and how each of its streams runs. */
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type LoadedManifest, loadManifest } from '../src/connector/load-manifest.ts'
import { ConnectorError } from '../src/std/errors.ts'
import { configsFor } from '../src/lab/mirror/config.ts'
import { type FoundStreams, findStreams } from '../src/lab/mirror/find-streams.ts'
import { customTypes, namesOwnClass, runStream, type StreamReport } from './run-stream.ts'
import type { AnsweringServer } from '../src/lab/mirror/server.ts'

export type ConnectorReport = {
  readonly name: string
  /** Why it does not load, why no config fits, or why its streams cannot be found; null when all is well. */
  readonly fault: string | null
  readonly streams: readonly StreamReport[]
}

export async function runConnector(server: AnsweringServer, path: string): Promise<ConnectorReport> {
  const file = basename(path)
  const name = file.replace(/\.\w+$/, '').replace(/^source-/, '')
  try {
    // Custom classes would be next to the manifest; here there are none.
    const manifest = loadManifest(readFileSync(path, 'utf8'), { file, folder: dirname(path) })
    const [config = {}, ...others] = configsFor(manifest)
    const found = await streamsOrClasses(server, manifest, config)
    if ('reports' in found) return { name, fault: null, streams: found.reports }

    const run = { server, manifest, connector: name }
    const streams: StreamReport[] = []
    for (const stream of found.streams) streams.push(await runStream({ ...run, ...found, ...stream }))

    // Other ways to sign in are the same for every stream: one is enough.
    const running = streams.find(({ status }) => status === 'runs')?.name
    for (const [index, other] of running === undefined ? [] : others.entries()) {
      const again = await findStreams(server, manifest, other)
      const stream = again.streams.find((one) => one.name === running)
      if (stream === undefined) continue
      const report = await runStream({ ...run, ...again, ...stream })
      streams.push({ ...report, name: `${report.name} (config ${index + 2})` })
    }
    return { name, fault: null, streams }
  } catch (error) {
    return { name, fault: String(error), streams: [] }
  }
}

/** Where the config itself needs a class of the connector's own, every stream does. */
async function streamsOrClasses(
  server: AnsweringServer,
  manifest: LoadedManifest,
  config: Record<string, unknown>,
): Promise<FoundStreams | { reports: StreamReport[] }> {
  try {
    return await findStreams(server, manifest, config)
  } catch (error) {
    if (!(error instanceof ConnectorError && namesOwnClass(manifest.root, error))) throw error
    const reasons = customTypes(manifest.root)
    const nothing = { records: 0, pages: 0, requests: 0, turnsPages: null, resumes: null, parentsFirst: null }
    return {
      reports: manifest.streams.map(({ name }) => ({ ...nothing, name: String(name), status: 'custom', reasons })),
    }
  }
}
