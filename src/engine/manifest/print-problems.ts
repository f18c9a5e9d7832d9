/** Problems → text for people: which and what, where, what next. */
import type { Problem, SourceLocation } from '../../errors.ts'

export type Paint = (text: string, role: 'error' | 'warning' | 'note' | 'place' | 'hint') => string

export type PrintOptions = {
  /** The name to show when a problem knows none. */
  file?: string | undefined
  /** The text of the manifest: the line in question is then shown too. */
  source?: string | undefined
  /** Colours, where there are any. */
  paint?: Paint | undefined
}

/** One block per problem and a line that counts them; the text ends with a line break. */
export function printProblems(problems: readonly Problem[], options: PrintOptions = {}): string {
  const paint = options.paint ?? ((text: string) => text)
  const lines = options.source?.split(/\r\n|\n|\r/) ?? []
  const blocks = problems.map((one) => {
    const written = one.at.line === undefined ? undefined : lines[one.at.line - 1]?.trim().slice(0, 100)
    return [
      `${paint(one.code, one.severity)}: ${one.message}`,
      `  at   ${paint(place(one.at, options.file), 'place')}`,
      ...(written ? [`       ${written}`] : []),
      `  try  ${paint(one.hint, 'hint')}`,
      '',
    ].join('\n')
  })
  return [...blocks, `${countProblems(problems)}\n`].join('\n')
}

/** `2 errors, 1 warning`. */
export function countProblems(problems: readonly Problem[]): string {
  const counts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const count = problems.filter((one) => one.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
  })
  return counts.length === 0 ? 'no problems' : counts.join(', ')
}

function place(at: SourceLocation, file: string | undefined): string {
  const name = at.file ?? file
  const spot =
    at.line === undefined ? name : `${name ?? ''}${name === undefined ? 'line ' : ':'}${at.line}:${at.column ?? 1}`
  return [at.pointer === '' ? '/' : at.pointer, spot].filter((part) => part !== undefined).join('  ')
}
