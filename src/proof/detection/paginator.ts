/** What was found → the paginator of a manifest, and the templates in it. */
import { writePath } from '../../engine/template/syntax/path.ts'
import type { Pointer } from './pointers.ts'
import type { Templated } from './detection.ts'
import type { Slot } from './probe-request.ts'
import type { Sizing } from './find-size.ts'
import type { MoreFlag } from './first-page-claims.ts'

/** Null where an option of a paginator can put the value itself. */
export function templateFor({ into, path, after }: Slot, isFromOne: boolean): Templated | null {
  const text = `{{ next_page_token['next_page_token']${isFromOne ? ' + 1' : ''} }}${after ?? ''}`
  if (into === 'path') return { into, fromEnd: Number(path[0]), text }
  return after === undefined && !isFromOne ? null : { into: 'request_parameter', name: path[0] ?? '', text }
}

export function optionOf({ into, path }: Slot): Record<string, unknown> {
  const place = path.length > 1 ? { field_path: [...path] } : { field_name: path[0] }
  return { type: 'RequestOption', inject_into: into, ...place }
}

/** A name that an API chose, as a string in a template: it must not be able to end the string. */
export function templateString(name: string): string {
  return `'${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}

/** A value of the response, safe where objects on the way are missing or null: some APIs drop them on the last page. */
export function responseAt(path: readonly string[]): string {
  const [only] = path
  if (path.length === 1 && only !== undefined) {
    return /^[a-z_]\w*$/i.test(only) && !dictMethods.has(only)
      ? `response.${only}`
      : `response[${templateString(only)}]`
  }
  return guardedAt(path)
}

export function guardedAt(path: readonly string[]): string {
  return writePath(['response', ...path])
}

/** All parameters of the query at once, as the response names them: none on the first request. */
export const tokensTemplate = "{{ next_page_token['next_page_token'] if next_page_token else {} }}"

/** An attribute of these names would be the method of the dictionary. */
const dictMethods = new Set([
  'get',
  'items',
  'keys',
  'values',
  'pop',
  'update',
  'copy',
  'clear',
  'setdefault',
  'popitem',
])

export function paginatorOf(
  strategy: Record<string, unknown>,
  /** Null where a template puts it. */
  token: Record<string, unknown> | null,
  sizing: Sizing,
): Record<string, unknown> {
  return {
    type: 'DefaultPaginator',
    pagination_strategy: strategy,
    ...(token !== null && { page_token_option: token }),
    ...(sizing.slot !== null && { page_size_option: optionOf(sizing.slot) }),
  }
}

export function sized({ slot, pageSize }: Sizing): { page_size?: number } {
  return slot === null ? {} : { page_size: pageSize }
}

export function pointerTemplate({ from, path, inList, isOfLast }: Pointer): string {
  if (isOfLast === true) return `(${responseAt(path.slice(0, -1))} or [{}])[-1].${path.at(-1)}`
  if (inList !== undefined) {
    const links = `(${responseAt(path.slice(0, -1))} or [])`
    return `${links} | selectattr('rel', 'equalto', 'next') | map(attribute='${inList}') | first`
  }
  return from === 'header' ? `headers.get(${templateString(path[0] ?? '')})` : responseAt(path)
}

export function stopBy({ path, meansMore }: MoreFlag): string {
  return meansMore ? `{{ not ${grouped(path)} }}` : `{{ ${responseAt(path)} }}`
}

function grouped(path: readonly string[]): string {
  return path.length === 1 ? responseAt(path) : `(${responseAt(path)})`
}
