/** A manifest of `test/manifests` → a copy that leads to a local server, which answers as the manifest expects. */
import { readFile } from 'node:fs/promises'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import type { Config } from '../../src/engine/plan/plan.ts'
import { configsFor } from '../../src/lab/mirror/config.ts'
import { bodyBytes } from '../../src/lab/mirror/encode.ts'
import { answerOf, type Endpoint } from '../../src/lab/mirror/endpoint.ts'
import { endpointsOf } from '../../src/lab/mirror/endpoints.ts'
import { serveApi, type ServedApi } from './serve-api.ts'

export type Mirror = ServedApi & { readonly manifest: string; readonly config: Config }

/** For manifests whose hosts are written out: each is replaced by the address of the server. */
export async function serveMirror(name: string): Promise<Mirror> {
  let endpoints: readonly Endpoint[] = []
  const api = await serveApi({
    '*': (_query, { method, path, query, headers, body }) => {
      const search = query.size === 0 ? '' : `?${query.toString()}`
      const answer = answerOf(endpoints, { method, url: new URL(`${api.url}${path}${search}`), headers, body })
      if (answer === null) return { status: 418, text: `no endpoint answers ${method} ${path}` }
      const sent = Buffer.from(bodyBytes(answer.body)).toString()
      return {
        status: answer.status ?? 200,
        headers: { 'content-type': 'application/json', ...answer.headers },
        text: sent,
      }
    },
  })
  const text = await readFile(`test/manifests/${name}.yaml`, 'utf8')
  const manifest = text.replaceAll(/(url_base: ["']?)https:\/\/[^/\s{}"']+/g, `$1${api.url}`)
  const loaded = loadManifest(manifest)
  const [config = {}] = configsFor(loaded)
  endpoints = loaded.streams.flatMap((stream) => endpointsOf(stream, config))
  return { ...api, manifest, config }
}
