/** A page → where it names the next one, each as the template that reads it there. */
import { linksOf } from '../../engine/pagination/link-header.ts'
import { writePath, writePathTemplate } from '../../engine/template/syntax/path.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { headerMeaningsOf, meaningsOf } from '../names/claim-names.ts'
import { envelopesIn } from '../claims/envelopes.ts'
import type { Found } from '../claims/envelope-claims.ts'
import type { PageSummary } from './page-summary.ts'

export type CursorPlace = {
  /** As people read it: `meta.next_token`, `header link next`. */
  readonly at: string
  /** The last name of the place: `next_token`. */
  readonly field: string
  /** The names of what holds it: `['meta']`. */
  readonly above: readonly string[]
  /** What `cursor_value` is to be. */
  readonly template: string
  /** Needed where the template fails on a page without it. */
  readonly stopCondition?: string
  readonly value: string | number
  /** An address, whole or relative, rather than a value to send. */
  readonly isLink: boolean
  /** In an object whose name says nothing about pages: only its own name speaks for it. */
  readonly isScattered?: boolean
}

/** The surest first: links, then what is named for the next page, then other tokens. */
export function cursorPlacesIn(
  { response: answer }: Pick<PageSummary, 'response'>,
  recordPath: readonly string[] | null,
): CursorPlace[] {
  if (answer === null) return []
  const inBody = envelopesIn(answer.body, recordPath).flatMap(({ place: [, ...above], members }) =>
    Object.keys(members).flatMap((name) => bodyPlaces(members, above, name)),
  )
  const found = [...linkHeader(answer.headers), ...inBody, ...headerPlaces(answer.headers)]
  const known = new Set(found.map(({ at }) => at))
  const scattered = scatteredPlaces(answer.body, recordPath).filter(({ at }) => !known.has(at))
  return [...found, ...scattered].toSorted((one, other) => rank(one) - rank(other))
}

function rank({ isLink, field, isScattered = false }: CursorPlace): number {
  const byName = isLink ? 0 : /next|end_?cursor/i.test(field) ? 1 : 2
  return isScattered ? byName + 3 : byName
}

const tokenName =
  /cursor|token|after|marker|continu|scroll|bookmark|offset|resume|anchor|pag(e|ing)_?state|last_?(evaluated_?)?key/i
const otherToken =
  /prev|before|first|start|self|csrf|access|auth|refresh|session|type|expires|sync|delta|poll|watch|[_-]at$/i

const deepestScattered = 4
const mostMembers = 100

/** In objects that no rule knows for envelopes: everything outside of lists and of the records. */
function scatteredPlaces(body: unknown, recordPath: readonly string[] | null): CursorPlace[] {
  if (recordPath === null || recordPath.length === 0) return []
  const records = recordPath.join('\n')
  const found: CursorPlace[] = []
  const visit = (value: unknown, above: readonly string[]) => {
    if (!isObject(value) || above.join('\n') === records || above.length > deepestScattered) return
    const names = Object.keys(value)
    if (names.length > mostMembers) return
    for (const name of names) {
      if (!isList(value[name]))
        found.push(...bodyPlaces(value, above, name).map((one) => ({ ...one, isScattered: true })))
      visit(value[name], [...above, name])
    }
  }
  visit(body, [])
  return found.filter(({ at }, index) => found.findIndex((one) => one.at === at) === index)
}

function isTokenName(name: string): boolean {
  return meaningsOf(name).some(({ kind }) => kind === 'next') || (tokenName.test(name) && !otherToken.test(name))
}

function bodyPlaces(members: Members, above: readonly string[], name: string): CursorPlace[] {
  const value = members[name]
  const path = [...above, name]
  if (isList(value) && /^_?links?$/i.test(name)) return linkInList(value, path)
  if (!isTokenName(name)) return []
  if (isObject(value)) {
    const names = Object.keys(value).filter((key) => isToken(value[key]))
    const inner =
      names.find((key) => /^(href|url|uri)$/.test(key)) ??
      names.find(isTokenName) ??
      names.find((key) => tokenName.test(key))
    return inner === undefined ? [] : [bodyPlace([...path, inner], value[inner] as string | number)]
  }
  return isToken(value) ? [bodyPlace(path, value)] : []
}

function bodyPlace(path: readonly string[], value: string | number): CursorPlace {
  const field = path.findLast((name) => !/^(href|url|uri)$/.test(name)) ?? ''
  const above = path.slice(0, path.indexOf(field))
  return {
    at: path.join('.'),
    field,
    above,
    template: writePathTemplate(['response', ...path]),
    value,
    isLink: isAddress(value),
  }
}

/** `links: [{ rel: 'next', href: … }]` */
function linkInList(links: readonly unknown[], path: readonly string[]): CursorPlace[] {
  const next = links.find((link) => isObject(link) && link.rel === 'next')
  const key = isObject(next) ? ['href', 'url', 'uri'].find((name) => isToken(next[name])) : undefined
  if (!isObject(next) || key === undefined) return []
  const template = `{% for link in ${expressionAt(path)} or [] if link.rel == 'next' %}{{ link.${key} }}{% endfor %}`
  return [
    { at: `${path.join('.')}.next`, field: 'next', above: [], template, value: next[key] as string, isLink: true },
  ]
}

/** The condition that is true where a flag in the body says that no page follows; null where there is no such flag. */
export function stopAtFlag({ nexts }: Pick<Found, 'nexts'>): string | null {
  const flag = nexts.find(({ kind, place: [from] }) => kind === 'flag' && from === 'body')
  if (flag === undefined) return null
  const [, ...names] = flag.place
  const isMore = meaningsOf(names.at(-1) ?? '').some(({ kind }) => kind === 'has-more')
  return `{{ ${isMore ? 'not ' : ''}${expressionAt(names)} }}`
}

/** What reads a path of the response, for conditions: `response.get("has_more")`. */
export function expressionAt(path: readonly string[]): string {
  return writePath(['response', ...path])
}

function linkHeader(headers: Readonly<Record<string, string>>): CursorPlace[] {
  const url = headers.link === undefined ? undefined : linksOf(headers.link).next?.url
  if (url === undefined) return []
  return [
    {
      at: 'header link next',
      field: 'next',
      above: [],
      template: "{{ headers['link']['next']['url'] }}",
      stopCondition: "{{ 'next' not in headers['link'] }}",
      value: url,
      isLink: true,
    },
  ]
}

function headerPlaces(headers: Readonly<Record<string, string>>): CursorPlace[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const isNamed = headerMeaningsOf(name).some(({ kind }) => kind === 'next') || /cursor|continuation/i.test(name)
    if (!isNamed || !isToken(value)) return []
    const template = writePathTemplate(['headers', name])
    return [
      { at: `header ${name}`, field: name.replace(/^x-/i, ''), above: [], template, value, isLink: isAddress(value) },
    ]
  })
}

function isToken(value: unknown): value is string | number {
  return typeof value === 'string' ? value !== '' : typeof value === 'number' && value > 0
}

function isAddress(value: string | number): boolean {
  return typeof value === 'string' && /^(https?:|[/?])/i.test(value)
}
