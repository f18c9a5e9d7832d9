/** A shape → the manifest that reads all of it, written with knowledge of the shape: what detection should find. */
import { option, sourceOf, streamOf } from '../../../helpers/manifests.ts'
import type { Given, Paging, Place, Placed, Shape } from './shape.ts'

export function rightManifest(shape: Shape, origin: string): Record<string, unknown> {
  const { paging, given } = shape
  const own = paging === null ? [] : ownNames(paging)
  const isWhole = shape.next?.as === 'tokens'
  const isGraphql = shape.kind === 'GraphQL'
  const isDeclared = shape.kind === 'GraphQL, any variables'
  const json =
    given.json === null ? null : isGraphql || isDeclared ? withoutVariables(given.json) : without(given.json, own)
  const requester = {
    path: isWhole ? pathWith(shape.path, given.query) : shape.path,
    http_method: shape.method,
    request_parameters: isWhole ? tokensBack : without(given.query, own),
    ...(shape.key && { request_headers: { [shape.key.header]: shape.key.value } }),
    ...(json && { request_body_json: json }),
    ...(given.form && { request_body_data: without(given.form, own) }),
    ...(paging?.pastEnd === 'not-found' && { error_handler: endsAtNotFound }),
  }
  const fieldPath = [...shape.recordPath]
  const paginator = paging === null ? {} : { paginator: paginatorOf(shape, paging) }
  return sourceOf([streamOf({ url: origin, name: 'things', requester, fieldPath, ...paginator })])
}

const endsAtNotFound = {
  type: 'DefaultErrorHandler',
  response_filters: [{ type: 'HttpResponseFilter', action: 'IGNORE', http_codes: [404] }],
}

/** An object of tokens goes back whole: a template is the whole query, and what is fixed is part of the path. */
const tokensBack = "{{ next_page_token['next_page_token'] if next_page_token else {} }}"

function pathWith(path: string, query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

function ownNames({ token, size }: Paging): string[] {
  return [...(token.counts === 'path' ? [] : token.placed.path), ...(size.placed?.path ?? [])]
}

function without<T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}

function withoutVariables(json: NonNullable<Given['json']>): Record<string, unknown> {
  return without(json, ['variables'])
}

function paginatorOf(shape: Shape, paging: Paging): Record<string, unknown> {
  const { size, token } = paging
  const sized = size.placed === null ? {} : { page_size_option: placedOption(size.placed) }
  const strategy = { ...strategyOf(shape, paging), ...(isSized(shape, paging) && { page_size: size.usual }) }
  const isLink = shape.next !== null && shape.next.as !== 'token' && shape.next.as !== 'tokens'
  const sent = isLink || token.counts === 'path' ? { type: 'RequestPath' } : placedOption(token.placed)
  const placed = shape.next?.as === 'tokens' ? {} : { page_token_option: sent }
  return { pagination_strategy: strategy, ...placed, ...(isSized(shape, paging) && sized) }
}

/** A number of pages must know its size, whether it is sent or not. */
function isSized({ next }: Shape, { size, token }: Paging): boolean {
  return size.placed !== null || (next === null && (token.counts === 'page' || token.counts === 'offset'))
}

function placedOption({ into, path }: Placed): Record<string, unknown> {
  return option(into, path.length === 1 ? (path[0] as string) : [...path])
}

function strategyOf({ next, says, records, quirk }: Shape, { token, size }: Paging): Record<string, unknown> {
  const flag = says.find(({ what }) => what === 'has-more')
  if (next !== null) {
    const cursor = next.as === 'link-header' ? `headers['link']['next']['url']` : expressionOf(next.at)
    const stop =
      next.as === 'link-header'
        ? `'next' not in headers['link']`
        : next.atEnd === 'stays' && flag
          ? `${expressionOf(flag.at)} is false`
          : null
    return {
      type: 'CursorPagination',
      cursor_value: `{{ ${cursor} }}`,
      ...(stop !== null && { stop_condition: `{{ ${stop} }}` }),
    }
  }
  const isFirst = quirk?.kind === 'needs-token' || quirk?.kind === 'bare-unpaged'
  const first = isFirst ? { inject_on_first_request: true } : {}
  switch (token.counts) {
    case 'offset':
      return { type: 'OffsetIncrement', ...first }
    case 'page':
      return { type: 'PageIncrement', start_from_page: token.first, ...first }
    default: {
      const stop = flag ? `not ${expressionOf(flag.at)}` : `last_page_size < ${size.usual}`
      return {
        type: 'CursorPagination',
        cursor_value: `{{ last_record['${records.id?.name}'] }}`,
        stop_condition: `{{ ${stop} }}`,
      }
    }
  }
}

/** Step by step, so that what is not there is nothing rather than an error. */
function expressionOf([from, ...names]: Place): string {
  if (from === 'header') return `headers.get('${names[0]}', '')`
  return names.reduce(
    (text, name, index) => `${text}.get('${name}'${index < names.length - 1 ? ', {}' : ''})`,
    'response',
  )
}
