/**
 * References in a config → the values they stand for. `${NAME}`, alone or within a string, is an environment variable;
 * a string that starts with `file:` is the content of that file. A `$` before either keeps it as text.
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reasonOf } from '../connector/open-connector.ts'
import { problem } from '../engine/manifest/problem.ts'
import { withoutByteOrderMark } from '../document/open-document.ts'
import { ConnectorError, type Problem, type SourceLocation } from '../std/errors.ts'
import { isList, isObject } from '../std/values/objects.ts'

export type ReferenceOptions = {
  /** Relative paths of `file:` start here. */
  readonly folder: string
  /** Where the value of this path is written, for errors. */
  readonly locate: (path: ValuePath) => SourceLocation
  /** What takes the place of a variable; throws for one that may not be used. Its value when absent. */
  readonly variable?: ((name: string) => string) | undefined
  /** What takes the place of the content of a file; throws where it may not be used. The content when absent. */
  readonly file?: ((content: string, reference: string) => string) | undefined
  /** How the value of a variable is written at its place in the text; as it is when absent. */
  readonly place?: ((written: string, offset: number, value: string) => string) | undefined
}

export type ValuePath = readonly (string | number)[]

/** The first `$` of `$${NAME}` keeps it as text. */
const variables = /(\$?)\$\{([A-Za-z_]\w*)\}/g
const filePrefix = 'file:'

/** Throws once, with every reference that cannot be resolved. Values are never part of a message. */
export async function fillReferences<T>(value: T, options: ReferenceOptions): Promise<T> {
  const problems: Problem[] = []
  const filled = await fill(value, [], options, problems)
  const [first] = problems
  if (first === undefined) return filled as T
  const { code, message, at, hint } = first
  throw new ConnectorError(code, message, { at, hint, problems: problems.length === 1 ? [] : problems })
}

async function fill(value: unknown, path: ValuePath, options: ReferenceOptions, problems: Problem[]): Promise<unknown> {
  if (typeof value === 'string') return fillText(value, path, options, problems)
  // One after the other, so that problems are in the order of the file.
  if (isList(value)) {
    const items: unknown[] = []
    for (const [index, item] of value.entries()) items.push(await fill(item, [...path, index], options, problems))
    return items
  }
  if (!isObject(value)) return value
  const members: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    members.push([name, await fill(member, [...path, name], options, problems)])
  }
  return Object.fromEntries(members)
}

async function fillText(text: string, path: ValuePath, options: ReferenceOptions, problems: Problem[]) {
  if (isFileReference(text)) return fileContent(text, path, options, problems)
  if (text.startsWith(`$${filePrefix}`)) return text.slice(1)
  const { place = (_written, _offset, value) => value } = options
  return replaceVariables(text, (name, offset) => {
    if (options.variable !== undefined) return allowed(name, options.variable, options.locate(path), problems)
    const value = process.env[name]
    if (value !== undefined && value !== '') return place(text, offset, value)
    const message = `${shownField(path)} needs the environment variable ${name}, which is ${value === '' ? 'empty' : 'not set'}.`
    const hint = `Set it: export ${name}=… To mean the text itself, write $\${${name}}.`
    problems.push(problem('connections/missing-variable', 'error', message, options.locate(path), hint))
    return ''
  })
}

function allowed(given: string, use: (given: string) => string, at: SourceLocation, problems: Problem[]): string {
  try {
    return use(given)
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    problems.push(problem(error.code, 'error', error.message, at, error.hint))
    return ''
  }
}

/** Each `${NAME}` of a text by its value; of `$${NAME}`, only the first `$` goes. */
export function replaceVariables(text: string, valueOf: (name: string, offset: number) => string): string {
  return text.replaceAll(variables, (whole, escape: string, name: string, offset: number) =>
    escape === '' ? valueOf(name, offset) : whole.slice(1),
  )
}

/** A text that is not to be taken for a reference, as it is written in a config. */
export function asText(text: string): string {
  return isFileReference(text) ? `$${text}` : text.replaceAll(/\$\{[A-Za-z_]\w*\}/g, (variable) => `$${variable}`)
}

async function fileContent(text: string, path: ValuePath, options: ReferenceOptions, problems: Problem[]) {
  const { folder, locate, file: use = (content) => content } = options
  const file = text.slice(filePrefix.length)
  try {
    // What `echo` and editors add is not part of a secret: a line end, or on Windows a mark of the encoding.
    const written = withoutByteOrderMark(await readFile(referencedFile(text, folder), 'utf8'))
    const content = written.replace(/\r?\n$/, '')
    return allowed(content, (one) => use(one, text), locate(path), problems)
  } catch (error) {
    const message = `${shownField(path)} is in the file ${file}, which cannot be read: ${reasonOf(error)}.`
    const hint = `Create the file, readable by you only. To mean the text itself, write $${filePrefix}…`
    problems.push(problem('connections/missing-file', 'error', message, locate(path), hint))
    return ''
  }
}

export type FileReference = `file:${string}`

export function isFileReference(value: unknown): value is FileReference {
  return typeof value === 'string' && value.startsWith(filePrefix)
}

/** Whether the string is made of references only, so that it shows nothing. */
export function isOnlyReferences(text: string): boolean {
  if (isFileReference(text)) return true
  const rest = text.replaceAll(variables, (whole, escape: string) => (escape === '' ? '' : whole))
  return rest === '' && text !== ''
}

/** Whether any string of the value holds a reference. */
export function hasReferences(value: unknown): boolean {
  if (typeof value === 'string')
    return isFileReference(value) || [...value.matchAll(variables)].some(([, escape]) => escape === '')
  return (isList(value) || isObject(value)) && Object.values(value).some(hasReferences)
}

/** The path of the file that `file:…` names; `file:///…` is accepted, too. */
export function referencedFile(reference: string, folder: string): string {
  const path = reference.slice(filePrefix.length)
  return path.startsWith('//') ? fileURLToPath(reference) : resolve(folder, path)
}

function shownField(path: ValuePath): string {
  return path.length === 0 ? 'The value' : `\`${path.join('.')}\``
}

/** The environment variables that the strings of the value refer to. */
export function referencedVariables(value: unknown): string[] {
  if (typeof value === 'string') {
    if (isFileReference(value)) return []
    return [...value.matchAll(variables)].flatMap(([, escape, name = '']) => (escape === '' ? [name] : []))
  }
  return isList(value) || isObject(value) ? [...new Set(Object.values(value).flatMap(referencedVariables))] : []
}
