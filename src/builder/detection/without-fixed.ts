/** A requester → the same without the fixed values that a paginator sends from now on: sent twice, they would collide. */
import { withoutPath } from '../../from-request/given-request.ts'
import { isObject, type Members } from '../../std/values/objects.ts'
import type { Candidate } from '../../server/wire/detection.ts'

export type FixedPlace = { readonly into: string; readonly path: readonly string[] }

/** Where the candidate sends values, and where it was read without those that are fixed. */
export function placesOf({ paginator, without = [] }: Pick<Candidate, 'paginator' | 'without'>): FixedPlace[] {
  const options = [paginator?.page_token_option, paginator?.page_size_option].flatMap((option): FixedPlace[] => {
    if (!isObject(option) || typeof option.inject_into !== 'string') return []
    const { inject_into: into, field_name: name, field_path: path } = option
    if (Array.isArray(path)) return [{ into, path: path.map(String) }]
    return typeof name === 'string' ? [{ into, path: [name] }] : []
  })
  return [...options, ...without.map(({ into, path }) => ({ into, path }))]
}

export function withoutFixed(requester: Members, places: readonly FixedPlace[]): Members {
  return places.reduce((before, { into, path }) => {
    switch (into) {
      case 'request_parameter':
        return withoutParameter(before, path[0] ?? '')
      case 'header':
        return withMembers(before, 'request_headers', (headers) => withoutName(headers, path[0] ?? ''))
      case 'body_data':
        return withBody(before, 'request_body_data', (form) => withoutName(form, path[0] ?? ''))
      case 'body_json':
        return withBody(before, 'request_body_json', (json) => withoutPath(json, path) as Members)
      default:
        return before
    }
  }, requester)
}

/** The address may have a query as well. */
function withoutParameter(requester: Members, name: string): Members {
  const addressed = ['path', 'url', 'url_base'].reduce((before: Members, key) => {
    const address = before[key]
    return typeof address === 'string' && address.includes('?')
      ? { ...before, [key]: withoutPair(address, name) }
      : before
  }, requester)
  return withMembers(addressed, 'request_parameters', (query) => withoutName(query, name))
}

function withoutPair(address: string, name: string): string {
  const at = address.indexOf('?')
  const pairs = address.slice(at + 1).split('&')
  const kept = pairs.filter((pair) => nameIn(pair).toLowerCase() !== name.toLowerCase())
  if (kept.length === pairs.length) return address
  return address.slice(0, at) + (kept.length === 0 ? '' : `?${kept.join('&')}`)
}

function nameIn(pair: string): string {
  const [text = ''] = pair.split('=')
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The body has two spellings: a key for each kind, or one with a type. */
function withBody(requester: Members, key: string, change: (members: Members) => Members): Members {
  const changed = withMembers(requester, key, change)
  const body = changed.request_body
  if (!isObject(body) || !isObject(body.value)) return changed
  const isJson = body.type === 'RequestBodyJsonObject' || body.type === 'RequestBodyGraphQL'
  if (isJson !== (key === 'request_body_json')) return changed
  return { ...changed, request_body: { ...body, value: change(body.value) } }
}

/** A template that gives all of them is left alone. */
function withMembers(requester: Members, key: string, change: (members: Members) => Members): Members {
  const members = requester[key]
  if (!isObject(members)) return requester
  const changed = change(members)
  if (Object.keys(changed).length > 0 || Object.keys(members).length === 0) return { ...requester, [key]: changed }
  const { [key]: _empty, ...others } = requester
  return others
}

function withoutName(members: Members, name: string): Members {
  return Object.fromEntries(Object.entries(members).filter(([known]) => known.toLowerCase() !== name.toLowerCase()))
}
