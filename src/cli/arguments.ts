/** Texts from the command line → values, and what is wrong with them in our own words. */
import { type CommanderError, InvalidArgumentError } from 'commander'
import { ConnectorError } from '../std/errors.ts'

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return value
  throw new InvalidArgumentError('It must be a whole number, 1 or more.')
}

export function portNumber(text: string): number {
  if (isPort(text)) return Number(text)
  throw new InvalidArgumentError('A port is a whole number from 0 (any free one) to 65535.')
}

export function isPort(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= 65_535
}

export function prefetch(text: string): 'auto' | 'off' | number {
  if (text === 'auto' || text === 'off') return text
  if (/^\d+$/.test(text)) return wholeNumber(text)
  throw new InvalidArgumentError('It must be auto, off, or how many pages to ask for ahead.')
}

export function someName(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('A name has at least one letter.')
}

/** An option that may be repeated. */
export function inOrder(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

/** `postgres://me:secret@host/db` → `postgres://me:…@host/db`, wherever it stands: a password is for nobody's eyes. */
export function withoutPasswords(text: string): string {
  return text.replace(/(:\/\/[^\s:/@]*):\S*@/g, '$1:…@').replace(/([?&]password=)[^\s&'"]*/gi, '$1…')
}

/** The parser's complaint as our one error: its guess at what was meant becomes the hint. */
export function argumentError({ message }: CommanderError, command = ''): ConnectorError {
  const [, complaint = message, guess] = /^(?:error: )?(.*?)(?:\n\((.*)\))?$/s.exec(message) ?? []
  const sentence = withoutPasswords(complaint.charAt(0).toUpperCase() + complaint.slice(1))
  return new ConnectorError('cli/arguments', /[.?!]$/.test(sentence) ? sentence : `${sentence}.`, {
    hint: guess ?? `See \`${['turnleaf', command, '--help'].filter(Boolean).join(' ')}\`.`,
  })
}
