/** One problem of a manifest: how it is built, and how problems are printed. */
import { type ErrorCode, hints, type Problem, type SourceLocation } from '../../std/errors.ts'

export function problem(
  code: ErrorCode,
  severity: Problem['severity'],
  message: string,
  at: SourceLocation,
  hint: string = hints[code],
): Problem {
  return { code, severity, message, at, hint }
}

/** "Did you mean …?", or else what the code itself advises. */
export function didYouMean(near: string | undefined, otherwise: string): string {
  return near === undefined ? otherwise : `Did you mean \`${near}\`?`
}

/** `a`, `b` or `c`; a long list is cut. */
export function listed(words: readonly string[], most = 12, last: 'or' | 'and' = 'or'): string {
  const shown = words.slice(0, most).map((word) => `\`${word}\``)
  if (words.length > most) return `${shown.join(', ')} and ${words.length - most} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${last} ${shown.at(-1)}`
}

export type Paint = (text: string, role: 'error' | 'warning' | 'note' | 'place' | 'hint') => string

export type PrintOptions = {
  /** The name to show when a problem knows none. */
  file?: string | undefined
  /** The text of the manifest: the line in question is then shown too. */
  source?: string | undefined
  /** Colours, where there are any. */
  paint?: Paint | undefined
}

/** One block per problem, an empty line after each. */
export function printBlocks(problems: readonly Problem[], options: PrintOptions = {}): string {
  const paint = options.paint ?? ((text: string) => text)
  const lines = options.source?.split(/\r\n|\n|\r/) ?? []
  const blocks = problems.map((one) => {
    const at = options.file === undefined ? one.at : { file: options.file, ...one.at }
    const written = one.at.line === undefined ? undefined : lines[one.at.line - 1]?.trim().slice(0, 100)
    return [
      `${paint(one.code, one.severity)}: ${one.message}`,
      `  at   ${paint(sayPlace(at), 'place')}`,
      ...(written ? [`       ${written}`] : []),
      `  try  ${paint(one.hint, 'hint')}`,
      '\n',
    ].join('\n')
  })
  return blocks.join('')
}

/** The blocks, and a line that counts them. */
export function printProblems(problems: readonly Problem[], options: PrintOptions = {}): string {
  return `${printBlocks(problems, options)}${countProblems(problems)}\n`
}

/** `2 errors, 1 warning`. */
export function countProblems(problems: readonly Problem[]): string {
  const counts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const count = problems.filter((one) => one.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
  })
  return counts.length === 0 ? 'no problems' : counts.join(', ')
}

/** Where something was written: `/streams/0/name  shop.yaml:12:5` */
export function sayPlace({ pointer, file, line, column = 1 }: SourceLocation): string {
  const spot = line === undefined ? file : `${file === undefined ? 'line ' : `${file}:`}${line}:${column}`
  return [pointer === '' ? '/' : pointer, spot].filter((part) => part !== undefined).join('  ')
}
