/** One manifest → a report: whether it loads, and how each of its streams runs. */
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { loadManifest } from '../src/connector/load-manifest.ts'
import type { Component } from '../src/engine/manifest/manifest.ts'
import { checkConfig } from '../src/engine/plan/config.ts'
import { configsFor } from './config.ts'
import { runStream, type StreamReport } from './run-stream.ts'
import type { AnsweringServer } from './server.ts'

export type ConnectorReport = {
  readonly name: string
  /** Why it does not load, or why no config fits; null when all is well. */
  readonly fault: string | null
  readonly streams: readonly StreamReport[]
}

export async function runConnector(server: AnsweringServer, path: string): Promise<ConnectorReport> {
  const file = basename(path)
  const name = file.replace(/\.\w+$/, '').replace(/^source-/, '')
  try {
    // Classes of a connector's own would lie beside its manifest; here none does.
    const manifest = loadManifest(readFileSync(path, 'utf8'), { file, folder: dirname(path) })
    const [config = {}, ...others] = configsFor(manifest)
    checkConfig(manifest, config)
    const connector = { server, manifest, connector: name, before: [] }
    const streams: StreamReport[] = []
    for (const stream of streamsOf(manifest.streams)) {
      streams.push(await runStream({ ...connector, config, name: String(stream.name), stream }))
    }
    // Other ways to sign in are the same for every stream: one is enough.
    const runs = streams.find(({ status }) => status === 'runs')
    const [stream] = manifest.streams.filter((one) => runs !== undefined && one.name === runs.name)
    for (const [index, other] of others.entries()) {
      if (stream === undefined) break
      const report = await runStream({ ...connector, config: other, name: String(stream.name), stream })
      streams.push({ ...report, name: `${report.name} (config ${index + 2})` })
    }
    return { name, fault: null, streams }
  } catch (error) {
    return { name, fault: String(error), streams: [] }
  }
}

function streamsOf(streams: readonly Component[]): Component[] {
  return streams.filter(({ name }) => typeof name === 'string')
}
