/** A template and the caret's position → the completions there. */
import { access, isDotted, type NameMember, type TemplateNames } from './template-names.ts'
import { templateEnd } from './template-parts.ts'

export type Offer = {
  /** What the chosen text takes the place of. */
  readonly from: number
  readonly to: number
  readonly options: readonly Option[]
}

export type Option = {
  readonly label: string
  /** What is written. */
  readonly insert: string
  readonly kind: 'name' | 'member' | 'function' | 'filter'
  /** `str`, `dict`, … */
  readonly type: string
  readonly sample: string
}

/** More are not read; one more letter narrows them down. */
const mostOptions = 50

/** A longer path is not read: the patterns below try every letter before the caret as its beginning. */
const longestPath = 500

const path = String.raw`[A-Za-z_]\w*(?:\.\w+|\[\s*(?:'[^']*'|"[^"]*"|-?\d+)\s*\])*`
const member = new RegExp(String.raw`(${path})\.(\w*)$`)
const subscript = new RegExp(String.raw`(${path})\[\s*(['"]?)([^'"\[\]]*)$`)
const filter = /\|\s*(\w*)$/
const name = /(?:^|[^\w.'"\]])([A-Za-z_]\w*)?$/

/** @param isAsked whether it was requested by key, so that it is offered where nothing is typed yet. */
export function offerAt(text: string, caret: number, names: TemplateNames, isAsked: boolean): Offer | null {
  const open = openedBefore(text, caret)
  if (open === null) return isAsked ? wholeTemplates(caret, names) : null
  const before = text.slice(open + 2, caret)
  const near = before.slice(-longestPath)
  if (isInQuotes(before) && !subscript.test(near)) return null
  return offerWithin(near, { text, caret, isAsked }, names)
}

type Asked = { readonly text: string; readonly caret: number; readonly isAsked: boolean }

function offerWithin(before: string, { text, caret, isAsked }: Asked, names: TemplateNames): Offer | null {
  const [, owner, quote, key] = subscript.exec(before) ?? []
  if (owner !== undefined && key !== undefined) {
    return offer(keysOf(memberAt(names, owner), quote ?? '', text.slice(caret)), key, caret)
  }
  const [, ofMember, begunMember] = member.exec(before) ?? []
  if (ofMember !== undefined) {
    return offer(membersOf(memberAt(names, ofMember)), begunMember ?? '', caret)
  }
  const [isFilter, begunFilter = ''] = filter.exec(before) ?? []
  if (isFilter !== undefined) return offer(plainOptions(names.filters, 'filter'), begunFilter, caret)
  const [isName, begun = ''] = name.exec(before) ?? []
  if (isName === undefined || (begun === '' && !isAsked && before.trim() !== '')) return null
  return offer(
    [...names.members.map((one) => option(one, 'name', one.name)), ...plainOptions(names.functions, 'function')],
    begun,
    caret,
  )
}

/** The `{{` or `{%` around the caret. */
export function openedBefore(text: string, caret: number): number | null {
  const open = Math.max(text.lastIndexOf('{{', caret - 2), text.lastIndexOf('{%', caret - 2))
  if (open === -1 || open + 2 > caret) return null
  const { inside } = templateEnd(text, open)
  return caret <= inside ? open : null
}

function isInQuotes(before: string): boolean {
  let quote: string | null = null
  for (let at = 0; at < before.length; at++) {
    const letter = before[at]
    if (quote !== null) {
      if (letter === '\\') at++
      else if (letter === quote) quote = null
    } else if (letter === "'" || letter === '"') quote = letter
  }
  return quote !== null
}

function offer(all: readonly Option[], begun: string, caret: number): Offer | null {
  const letters = begun.toLowerCase()
  const starts = all.filter(({ label }) => label.toLowerCase().startsWith(letters))
  const holds = all.filter(({ label }) => label.toLowerCase().indexOf(letters) > 0)
  const options = [...starts, ...holds].slice(0, mostOptions)
  // Nothing is left to complete where the one thing there is was written out.
  const isWritten = options.length === 1 && options[0]?.insert === begun
  return options.length === 0 || isWritten ? null : { from: caret - begun.length, to: caret, options }
}

/** Outside of marks, names come with them. */
function wholeTemplates(caret: number, { members }: TemplateNames): Offer | null {
  const options = members.flatMap((one) => [
    option(one, 'name', `{{ ${one.name} }}`),
    ...(one.name === 'config' ? within(one) : []).map((key) => ({
      ...option(key, 'member', `{{ ${access('config', key)} }}`),
      label: access('config', key),
    })),
  ])
  return options.length === 0 ? null : { from: caret, to: caret, options: options.slice(0, mostOptions) }
}

function option({ name: label, type, sample }: NameMember, kind: Option['kind'], insert: string): Option {
  return { label, insert, kind, type, sample }
}

function plainOptions(labels: readonly string[], kind: 'function' | 'filter'): Option[] {
  return labels.map((label) => ({ label, insert: label, kind, type: kind, sample: '' }))
}

/** After a dot only what can be written there. */
function membersOf(owner: NameMember | null): Option[] {
  return within(owner)
    .filter((one) => isDotted(one))
    .map((one) => option(one, 'member', one.name))
}

function keysOf(owner: NameMember | null, quote: string, after: string): Option[] {
  const mark = quote === '' ? "'" : quote
  const closing = `${after.startsWith(mark) ? '' : mark}${/^['"]?\]/.test(after) ? '' : ']'}`
  return within(owner)
    .filter((one) => !/['"\\\n]/.test(one.name))
    .map((one) => {
      if (one.isPosition === true) return option(one, 'member', `${one.name}${after.startsWith(']') ? '' : ']'}`)
      return option(one, 'member', `${quote === '' ? mark : ''}${one.name}${closing}`)
    })
}

function within(owner: NameMember | null): readonly NameMember[] {
  return owner?.members?.() ?? []
}

/** The value at `response.data[0]['id']`; null where nothing is known about it. */
export function memberAt({ members }: TemplateNames, written: string): NameMember | null {
  const [first, ...rest] = written.matchAll(/[A-Za-z_]\w*|'([^']*)'|"([^"]*)"|-?\d+/g)
  let found = members.find((one) => one.name === first?.[0]) ?? null
  for (const [whole, single, double] of rest) {
    const key = single ?? double ?? whole
    found = within(found).find((one) => one.name === key) ?? null
  }
  return found
}
