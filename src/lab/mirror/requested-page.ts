/** Requests → which page of which read each asks for. A read is one slice, from its first page to its last. */
import type { Component } from '../../engine/manifest/manifest.ts'
import type { MirrorRequest } from './mirror-request.ts'
import { asComponent, componentsInside, namesMentioning, textField } from './find-components.ts'
import { isObject } from '../../std/values/objects.ts'

export type RequestedPage = {
  readonly read: number
  readonly page: number
  /** Whether the request carries a token, as first requests often do not. */
  readonly hasToken: boolean
  /** Whether the token names the page; otherwise `page` says how many tokens there were before. */
  readonly isMarked: boolean
  /** The number that the token is, where it is one. */
  readonly number: number | null
}

/** Requests of one read differ in their token; a new token is the next page, a known one the same page again. */
export function openRequestedPages(
  requester: Component,
  paginator: Component | null,
): (request: MirrorRequest) => RequestedPage {
  const partsOf = requestParts(requester, paginator)
  const reads = new Map<string, { index: number; pages: Map<string, number> }>()
  return (request) => {
    const { read: name, token, ...carried } = partsOf(request)
    const read = reads.get(name) ?? { index: reads.size, pages: new Map<string, number>() }
    reads.set(name, read)
    // A link may hold the link that led to it: the newest counts.
    const marks = [...token.matchAll(/leaf-(\d+)-mark/g)].map(([, page]) => Number(page))
    const page = read.pages.get(token) ?? (marks.length === 0 ? read.pages.size + 1 : Math.max(...marks))
    read.pages.set(token, page)
    return { read: read.index, page, isMarked: marks.length > 0, ...carried }
  }
}

const mark = /leaf-\d+-mark/

type Parts = Pick<RequestedPage, 'hasToken' | 'number'> & { readonly read: string; readonly token: string }

/** What identifies the read, and what carries the page token. */
function requestParts(requester: Component, paginator: Component | null): (request: MirrorRequest) => Parts {
  const tokens = tokenNames(requester, paginator)
  const properties = propertyNames(requester)
  const bodies = [requester.request_body_json, requester.request_body_data, requester.request_body]
  const bodyTurns = bodies.some((body) => typeof body === 'string' && body.includes('next_page_token'))
  const pathTurns = ['path', 'url_base', 'url'].some((field) => textField(requester, field).includes('next_page_token'))
  return ({ method, url, body, headers }) => {
    const isToken = ([name, value]: readonly [string, string]) => tokens.has(name.toLowerCase()) || mark.test(value)
    const query = [...url.searchParams].filter(([name]) => !properties.has(name))
    const kept = new URLSearchParams(query.filter((pair) => !isToken(pair)))
    const path = pathTurns ? url.pathname.replaceAll(/[^/]*(?:\d|leaf)[^/]*/g, '#') : url.pathname
    const { rest, taken } = bodyTurns
      ? { rest: body.replaceAll(/leaf-\d+-mark|\d+/g, '#'), taken: body }
      : bodyParts(body, tokens)
    const inHeaders = Object.entries(headers).filter(([name]) => tokens.has(name))
    const token = [query.filter(isToken), pathTurns ? url.pathname : '', taken, inHeaders]
    return {
      read: `${method} ${url.origin}${path} ${String(kept)} ${rest}`,
      token: JSON.stringify(token),
      hasToken: token.some((part) => part.length > 0),
      number: numberIn([...query.filter(isToken), ...inHeaders].map(([, value]) => value as unknown).concat(taken)),
    }
  }
}

function numberIn(values: readonly unknown[]): number | null {
  const [value] = values
  return values.length === 1 && /^\d+$/.test(String(value)) ? Number(value) : null
}

function tokenNames(requester: Component, paginator: Component | null): Set<string> {
  const option = asComponent(paginator?.page_token_option)
  const field = option?.field_name ?? (option?.field_path as unknown[] | undefined)?.at(-1)
  const fields = ['request_parameters', 'request_headers', 'request_body_json', 'request_body_data', 'request_body']
  const templated = fields.flatMap((name) => namesMentioning(/next_page_token/, '', requester[name]))
  return new Set([...templated, ...(typeof field === 'string' ? [field] : [])].map((name) => name.toLowerCase()))
}

/** The parameters that list properties: requests that differ only in these ask for the same records. */
function propertyNames(requester: Component): Set<string> {
  const { request_parameters } = requester
  if (!isObject(request_parameters)) return new Set()
  const lists = Object.entries(request_parameters).filter(([, value]) =>
    componentsInside(value).some(({ type }) => type === 'QueryProperties'),
  )
  return new Set(lists.map(([name]) => name))
}

function bodyParts(body: string, tokens: ReadonlySet<string>): { rest: string; taken: readonly unknown[] | string } {
  const taken: unknown[] = []
  const isKept = (name: string, value: unknown) => {
    const isToken = tokens.has(name.toLowerCase()) || (typeof value === 'string' && mark.test(value))
    if (isToken) taken.push(value)
    return !isToken
  }
  try {
    const rest = JSON.stringify(JSON.parse(body), (key: string, value: unknown) =>
      isKept(key, value) ? value : undefined,
    )
    return { rest, taken }
  } catch {
    const kept = [...new URLSearchParams(body)].filter(([name, value]) => isKept(name, value))
    return { rest: String(new URLSearchParams(kept)), taken }
  }
}
