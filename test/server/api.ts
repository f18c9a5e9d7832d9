/** An API for tests, asked without a socket. */
import type { Hono } from 'hono'
import { parseJson, stringifyJson } from '../../src/std/json.ts'
import { createApi } from '../../src/server/server.ts'
import type { Services } from '../../src/server/services.ts'
import { testServices } from './services.ts'

export const facts = {
  baseUrl: 'https://turnleaf.example',
  apiUrl: 'https://api.turnleaf.example',
  version: '0.1.0',
}

export type TestApi = Disposable & {
  readonly app: Hono
  readonly home: string
  post(path: string, body: unknown): Promise<Response>
  get(path: string): Promise<Response>
}

export function testApi(changes: Partial<Services> = {}): TestApi {
  const services = testServices(changes)
  const app = createApi(facts, services)
  return {
    app,
    home: services.home,
    async post(path, body) {
      const headers = { 'Content-Type': 'application/json' }
      return app.request(`${facts.apiUrl}${path}`, { method: 'POST', headers, body: stringifyJson(body) })
    },
    async get(path) {
      return app.request(`${facts.apiUrl}${path}`)
    },
    [Symbol.dispose]: () => services[Symbol.dispose](),
  }
}

/** With every digit. */
export async function jsonOf<T>(reply: Response): Promise<T> {
  return parseJson(await reply.text()).value as T
}
