/** The API of a home of its own, and short ways to ask it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Services } from '../../../src/server/services.ts'
import { createApi } from '../../../src/server/server.ts'
import { testServices } from '../services.ts'

export const facts = { baseUrl: 'http://127.0.0.1:8080', apiUrl: 'http://127.0.0.1:8081', version: '0.1.0' }

export type Asked<Body> = { readonly status: number; readonly body: Body; readonly reply: Response }

export function openApi(changes: Partial<Services> = {}) {
  const services = testServices(changes)
  const app = createApi(facts, services)
  return {
    app,
    home: services.home,
    /** A path in `connectors/`. */
    at: (...path: string[]) => join(services.home, 'connectors', ...path),
    /** A file in `connectors/`, as if a person had put it there. */
    put(path: string, text: string | Uint8Array) {
      const file = join(services.home, 'connectors', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
    // oxlint-disable-next-line typescript/no-explicit-any -- what a response holds, the test says.
    async ask<Body = any>(method: string, path: string, body?: unknown): Promise<Asked<Body>> {
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: jsonHeaders }
      const reply = await app.request(path, { method, ...sent })
      const text = await reply.clone().text()
      return { status: reply.status, body: (text === '' ? null : JSON.parse(text)) as Body, reply }
    },
    [Symbol.dispose]: () => services[Symbol.dispose](),
    /** Where syncs were started. */
    [Symbol.asyncDispose]: () => services[Symbol.asyncDispose](),
  }
}

const jsonHeaders = { 'Content-Type': 'application/json' }
