/** Problems → text for people: which and what, where, what next. */
import type { Problem, SourceLocation } from '../../std/errors.ts'

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
