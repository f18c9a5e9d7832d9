/** The names that a template may use, with what they hold: a tree that is made as it is opened. */
import { Float, LongDecimal, stringifyJson } from '../../std/json.ts'

export type NameMember = {
  readonly name: string
  /** Python's name for it: `str`, `int`, `dict`, …; empty where that is not known. */
  readonly type: string
  /** A short preview of the value. */
  readonly sample: string
  /** It is an item of a list, and its name is its index. */
  readonly isPosition?: boolean
  readonly members?: () => readonly NameMember[]
}

export type TemplateNames = {
  readonly members: readonly NameMember[]
  readonly functions: readonly string[]
  readonly filters: readonly string[]
}

/** How many members of a list or object are offered: more would not be scrolled through. */
const mostMembers = 200
const longestSample = 60

export function nameMember(name: string, value: unknown, isPosition = false): NameMember {
  const found = { name, type: pythonTypeOfJson(value), sample: sampleOf(value), ...(isPosition && { isPosition }) }
  if (Array.isArray(value)) {
    return {
      ...found,
      members: () => value.slice(0, mostMembers).map((one, index) => nameMember(String(index), one, true)),
    }
  }
  if (found.type !== 'dict') return found
  return {
    ...found,
    members: () =>
      Object.entries(value as object)
        .slice(0, mostMembers)
        .map(([key, one]) => nameMember(key, one)),
  }
}

function pythonTypeOfJson(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (value instanceof Float || value instanceof LongDecimal) return 'float'
  return Array.isArray(value) ? 'list' : 'dict'
}

function sampleOf(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? 'item' : 'items'}`
  if (pythonTypeOfJson(value) === 'dict') {
    const keys = Object.keys(value as object)
    return cut(keys.slice(0, 10).join(', '))
  }
  // A long text is not written out as JSON just to be cut.
  return cut(
    typeof value === 'string' ? stringifyJson(value.slice(0, longestSample + 1)) : stringifyJson(value ?? null),
  )
}

function cut(text: string): string {
  return text.length > longestSample ? `${text.slice(0, longestSample)}…` : text
}

const isWord = (text: string) => /^[A-Za-z_]\w*$/.test(text)

/** Jinja takes these for the methods of a dict, whatever the keys are. */
const methods = new Set('clear copy fromkeys get items keys pop popitem setdefault update values'.split(' '))

export function isDotted({ name, isPosition }: NameMember): boolean {
  return isPosition !== true && isWord(name) && !methods.has(name)
}

/** How a member is written: `response.data`, `response['odd name']`, `response.data[0]`, `config['start']`. */
export function access(owner: string, member: NameMember): string {
  if (member.isPosition === true) return `${owner}[${member.name}]`
  if (owner !== 'config' && isDotted(member)) return `${owner}.${member.name}`
  return `${owner}['${member.name.replaceAll(/['\\]/g, (letter) => `\\${letter}`)}']`
}
