/** The inputs that templates and paths of a manifest refer to: found, counted, renamed. */
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'

/** `config['key']`, `config["key"]`, `config.key`, `config.get('key')`. */
const reference = /\bconfig\s*(?:\[\s*(["'])(.+?)\1\s*\]|\.\s*get\(\s*(["'])(.+?)\3|\.\s*(?!get\s*\()([A-Za-z_]\w*))/g
const template = /\{\{.*?\}\}|\{%.*?%\}/gs

/** Lists that are a path into the config, not into a response. */
const configPaths = /(?:^authenticator_selection_path|^configs_pointer|_config_path)$/

/** A template that is one input and nothing else: its name. Null for all other values. */
export function soleInput(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const [, inner = ''] = /^\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s.exec(value) ?? []
  const [match] = [...inner.matchAll(reference)]
  return match !== undefined && match[0] === inner.trim().replace(/\)$/, '') ? nameIn(match) : null
}

/** The names of all inputs that a value uses, in order. */
export function inputNamesIn(value: unknown): string[] {
  const names = new Set<string>()
  visit(value, [], (found, at) => namesAt(found, at).forEach((name) => void names.add(name)))
  return [...names]
}

/** Where the manifest, as it is written, uses an input. */
export function inputUses(root: unknown, name: string): Path[] {
  const uses: Path[] = []
  visit(root, [], (found, at) => void (namesAt(found, at).includes(name) && uses.push(at)))
  return uses
}

/** The value of a use with the other name in it. */
export function withInputRenamed(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return [to, ...value.slice(1)]
  if (typeof value !== 'string') return value
  return value.replace(template, (part) =>
    part.replace(reference, (whole, _, bracketed?: string, __?: string, got?: string, dotted?: string) => {
      if ((bracketed ?? got ?? dotted) !== from) return whole
      if (dotted !== undefined) return /^[A-Za-z_]\w*$/.test(to) ? whole.slice(0, -from.length) + to : `config['${to}']`
      const at = whole.lastIndexOf(from)
      return whole.slice(0, at) + to + whole.slice(at + from.length)
    }),
  )
}

function namesAt(value: unknown, at: Path): string[] {
  if (Array.isArray(value)) {
    const isConfigPath = configPaths.test(String(at.at(-1)))
    return isConfigPath && typeof value[0] === 'string' ? [value[0]] : []
  }
  if (typeof value !== 'string') return []
  return (value.match(template) ?? []).flatMap((part) => [...part.matchAll(reference)].map(nameIn))
}

function nameIn([, , bracketed, , got, dotted]: RegExpMatchArray): string {
  return bracketed ?? got ?? dotted ?? ''
}

function visit(value: unknown, at: Path, meet: (value: unknown, at: Path) => void): void {
  meet(value, at)
  if (Array.isArray(value)) value.forEach((item: unknown, index) => visit(item, [...at, index], meet))
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) visit(member, [...at, key], meet)
}
