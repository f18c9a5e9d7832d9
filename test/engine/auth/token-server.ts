/** An API with a token endpoint: both on one origin, both remembering their requests. */
import assert from 'node:assert/strict'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import type { ReadOptions } from '../../../src/read.ts'
import { readPages } from '../../../src/read-manifest.ts'
import { manifestOf, offsetPaginator } from '../../helpers/manifests.ts'
import { type Answer, type Handler, serveApi } from '../../helpers/serve-api.ts'

export type TokenAnswer = (count: number, form: URLSearchParams) => Answer | Promise<Answer>

/** Tokens `at-1`, `at-2` … that live for an hour. */
export const hourly: TokenAnswer = (count) => ({ json: { access_token: `at-secret-${count}`, expires_in: 3600 } })

/** Two pages of items for authorized requests. */
export async function serveWithTokens(
  give: TokenAnswer = hourly,
  accepts: (authorization: string) => boolean = () => true,
  routes: Record<string, Handler> = {},
) {
  let count = 0
  const api = await serveApi({
    'POST /token': (_, { body }) => give(++count, new URLSearchParams(body)),
    'GET /items': (query, { headers }) => {
      if (!accepts(headers.authorization ?? '')) return { status: 401, json: { message: 'token expired' } }
      const offset = Number(query.get('offset') ?? 0)
      return { json: { data: [{ id: offset }, ...(offset < 2 ? [{ id: offset + 1 }] : [])] } }
    },
    ...routes,
  })
  return Object.assign(api, { tokensGiven: () => count })
}

export function oauth(url: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'OAuthAuthenticator',
    token_refresh_endpoint: `${url}/token`,
    client_id: "{{ config['client_id'] }}",
    client_secret: "{{ config['client_secret'] }}",
    refresh_token: "{{ config['refresh_token'] }}",
    ...fields,
  }
}

export const config = { client_id: 'the client', client_secret: 'cs-s3cret&=', refresh_token: 'rt-s3cret/0' }

/** One stream of pages with two items each, with this authenticator. */
export function authenticatedBy(
  url: string,
  authenticator: Record<string, unknown>,
  parts: Record<string, unknown> = {},
) {
  const paginator = offsetPaginator({ page_size: 2 })
  return loadManifest(JSON.stringify(manifestOf({ url, paginator, requester: { authenticator }, ...parts })))
}

export async function pagesOf(manifest: ReturnType<typeof loadManifest>, options: ReadOptions = {}) {
  const pages = []
  for await (const page of readPages(manifest, { config, sleep: async () => {}, ...options })) pages.push(page)
  return pages
}

/** Every text that pages, notices and errors could show, searched for each of these. */
export function assertHidden(shown: unknown, secrets: readonly string[]): void {
  const text = JSON.stringify(shown, (_, value: unknown) =>
    value instanceof Error ? [value.message, value.stack, value.cause, Object.entries(value)] : value,
  )
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} is shown`)
}
