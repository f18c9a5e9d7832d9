/** XML text → the object that Python's xmltodict makes of it. */
import { SaxesParser } from 'saxes'
import { setMember } from '../../../std/values/set-member.ts'
import { FormatError } from './item-parser.ts'

/** An element under way: what its attributes and children gave so far, and its own text. */
type Element = { readonly name: string; members: Record<string, unknown> | null; text: string }

const deepest = 1_000

/**
 * Attributes are `@name`, text next to attributes or children is `#text`, children of one name are a list, names keep
 * their prefix. Nothing is fetched and no entity of the document's own is expanded.
 *
 * @example parseXml('<o id="1"><i>a</i><i>b</i></o>') // { o: { '@id': '1', i: ['a', 'b'] } }
 */
export function parseXml(text: string): Record<string, unknown> {
  const document: Element = { name: '', members: null, text: '' }
  const open: Element[] = [document]
  const parser = new SaxesParser({ xmlns: false, position: true })
  const addText = (more: string) => {
    const element = open.at(-1) as Element
    element.text += more
  }

  parser.on('error', (error) => {
    throw new FormatError(`line ${parser.line} is not XML (${reasonOf(error)})`, { cause: error })
  })
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/i.test(doctype)) throw new FormatError('it declares entities, which are not supported')
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > deepest) throw new FormatError(`it nests deeper than ${deepest} levels at line ${parser.line}`)
    const given = Object.entries(attributes)
    const members = given.length === 0 ? null : Object.fromEntries(given.map(([key, value]) => [`@${key}`, value]))
    open.push({ name, members, text: '' })
  })
  parser.on('closetag', ({ name }) => {
    const element = open.pop() as Element
    add(open.at(-1) as Element, name, valueOf(element))
  })
  parser.write(text).close()
  return document.members ?? {}
}

function valueOf({ members, text }: Element): unknown {
  const own = trimmed(text)
  if (members === null) return own === '' ? null : own
  if (own !== '') addMember(members, '#text', own)
  return members
}

/** Without the space at both ends that Python strips: not quite what JavaScript's `trim` does. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isSpace.test(text.charAt(start))) start++
  while (end > start && isSpace.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

const isSpace = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

function add(parent: Element, name: string, value: unknown): void {
  parent.members ??= {}
  addMember(parent.members, name, value)
}

/** A second member of the same name makes a list of the two. */
function addMember(members: Record<string, unknown>, name: string, value: unknown): void {
  const known = Object.hasOwn(members, name) ? members[name] : undefined
  if (known === undefined) setMember(members, name, value)
  else if (Array.isArray(known)) known.push(value)
  else setMember(members, name, [known, value])
}

/** `3:14: undefined entity.` without the place, which is said in words. */
function reasonOf({ message }: Error): string {
  return message.replace(/^[\d:\s]+/, '').replace(/\.$/, '')
}

/** What `<?xml version="1.0" encoding="…"?>` at the start says. */
export function encodingInXml(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.subarray(0, 200)).toString('latin1')
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]
}
