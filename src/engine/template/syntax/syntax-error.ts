/** What the parser says about a template it cannot read, with the place within the template. */
import { ConnectorError, type ErrorCode, type SourceLocation } from '../../../std/errors.ts'
import { shorten } from '../values/describe.ts'

export class SyntaxTrouble extends Error {
  readonly code: ErrorCode
  readonly at: number
  constructor(message: string, at: number, code: ErrorCode = 'template/syntax') {
    super(message)
    this.at = at
    this.code = code
  }
}

/** "line:column", both from 1. */
function positionOf(source: string, offset: number): string {
  const before = source.slice(0, offset)
  const line = before.split('\n').length
  return `${line}:${offset - before.lastIndexOf('\n')}`
}

/** One sentence: where in which template, and what. */
export function sentence(source: string, offset: number, message: string): string {
  return `Template ${shorten(source, 80)} at ${positionOf(source, offset)}: ${message}`
}

/** The parts of such a sentence; null for any other message. */
export function readSentence(
  message: string,
): { readonly line: number; readonly column: number; readonly what: string } | null {
  const [, line, column, what] = /^Template "(?:[^"\\]|\\.)*" at (\d+):(\d+): (.*)$/s.exec(message) ?? []
  return what === undefined ? null : { line: Number(line), column: Number(column), what }
}

export function syntaxError(trouble: SyntaxTrouble, source: string, at: SourceLocation | undefined): ConnectorError {
  return new ConnectorError(trouble.code, sentence(source, trouble.at, trouble.message), { at })
}
