/** Requests → which page of which walk each asks for. A walk is one slice, from its first page to its last. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { type Asked, keyOf, textOf } from './asked.ts'
import { asComponent } from './components.ts'
import { isObject } from './place.ts'

export type Turn = { readonly walk: number; readonly page: number }

/** The same request asks for the same page again, however often it comes. */
export function createWalks(requester: Component, paginator: Component | null): (asked: Asked) => Turn {
  const walkOf = walkKeys(requester, paginator)
  const turns = new Map<string, Turn>()
  const walks = new Map<string, { index: number; pages: number }>()
  return (asked) => {
    const key = keyOf(asked)
    const known = turns.get(key)
    if (known !== undefined) return known
    const name = walkOf(asked)
    const walk = walks.get(name) ?? { index: walks.size, pages: 0 }
    walks.set(name, walk)
    const marked = /leaf-(\d+)-mark/.exec(textOf(asked))?.[1]
    walk.pages = marked === undefined ? walk.pages + 1 : Number(marked)
    const turn = { walk: walk.index, page: walk.pages }
    turns.set(key, turn)
    return turn
  }
}

/** What names a walk: the request without whatever carries the page token. */
function walkKeys(requester: Component, paginator: Component | null): (asked: Asked) => string {
  const names = tokenNames(requester, paginator)
  const bodies = [requester.request_body_json, requester.request_body_data, requester.request_body]
  const bodyTurns = bodies.some((body) => JSON.stringify(body ?? '').includes('next_page_token'))
  const pathTurns = [requester.path, requester.url_base, requester.url].some((text) =>
    String(text).includes('next_page_token'),
  )
  return ({ method, url, body }) => {
    const query = [...url.searchParams].filter(([name, value]) => !names.has(name) && !/leaf-\d+-mark/.test(value))
    const path = pathTurns ? url.pathname.replaceAll(/[^/]*(?:\d|leaf)[^/]*/g, '#') : url.pathname
    const kept = bodyTurns ? body.replaceAll(/leaf-\d+-mark|\d+/g, '#') : withoutMembers(body, names)
    return `${method} ${url.origin}${path} ${String(new URLSearchParams(query))} ${kept}`
  }
}

function tokenNames(requester: Component, paginator: Component | null): Set<string> {
  const option = asComponent(paginator?.page_token_option)
  const field = option?.field_name ?? (option?.field_path as unknown[] | undefined)?.at(-1)
  const templated = [
    requester.request_parameters,
    requester.request_headers,
    requester.request_body_json,
    requester.request_body_data,
  ].flatMap((fields) =>
    isObject(fields)
      ? Object.entries(fields).filter(([, value]) => JSON.stringify(value).includes('next_page_token'))
      : [],
  )
  return new Set([...templated.map(([name]) => name), ...(typeof field === 'string' ? [field] : [])])
}

function withoutMembers(body: string, names: ReadonlySet<string>): string {
  try {
    return JSON.stringify(JSON.parse(body), (key: string, value: unknown) => (names.has(key) ? undefined : value))
  } catch {
    const kept = [...new URLSearchParams(body)].filter(([name]) => !names.has(name))
    return String(new URLSearchParams(kept))
  }
}
