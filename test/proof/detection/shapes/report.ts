/** What the judge found → the table of docs/reliability-tests.md, and for each that is not exact a few lines to go by. */
import type { Judged } from './judge.ts'
import { kinds, oddKinds } from './shape.ts'

export function detectionTable(all: readonly Judged[]): string {
  const rows = [...kinds, ...oddKinds].map((kind) =>
    rowOf(
      kind,
      all.filter(({ shape }) => shape.kind === kind),
    ),
  )
  const heads = ['API', 'shapes', 'exact', 'missed', 'wrong', 'most requests']
  const lines = ['---', ...heads.slice(1).map(() => '---:')]
  return [heads, lines, ...rows, rowOf('**all**', all)].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

export function foreignSentence(all: readonly Judged[]): string {
  const counted = (grade: Judged['grade']) => all.filter((one) => one.grade === grade).length
  return `Of ${all.length} more, whose parameters have invented names, ${counted('exact')} are found out by what else there is,
${counted('missed')} get "cannot tell" with what the API claims, and ${counted('wrong')} are wrong.
`
}

function rowOf(name: string, some: readonly Judged[]): (string | number)[] {
  const counted = (grade: Judged['grade']) => some.filter((one) => one.grade === grade).length
  const most = Math.max(0, ...some.map(({ requests }) => requests))
  return [name, some.length, counted('exact'), counted('missed'), counted('wrong'), most]
}

/** Run it again with `SHAPE=seed`, or `ODD=seed` where it is one of the odd kinds. */
export function storyOf({ shape, grade, why, requests, detection }: Judged): string {
  const { seed, kind, method, paging, next, says, records, unknown, quirk } = shape
  const lines = [
    `seed ${seed}, ${kind}: ${grade}, ${why}; ${requests} requests`,
    `  it is   ${method} ${JSON.stringify({ given: shape.given, recordPath: shape.recordPath, records: records.count, unknown, quirk })}`,
    `          ${JSON.stringify({ paging, next, says: says.map(({ at, what }) => `${what} at ${at.join('.')}`) })}`,
    `  it says ${detection?.answer ?? 'nothing'}: ${detection?.says ?? ''}`,
    ...(detection?.candidates ?? []).slice(0, 2).map((one) => `          ${one.confidence}: ${one.says}`),
    ...(detection?.probes ?? []).map(
      (one) =>
        `  asked   ${one.method} ${shortened(`${pathOf(one.url)} ${one.sent ?? ''}`)} → ${one.status}, ${one.saw}`,
    ),
  ]
  return lines.join('\n')
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, '')
}

/** Some probes try a hundred names at once. */
function shortened(text: string): string {
  return text.length <= 160 ? text : `${text.slice(0, 150)} … (${text.length} letters)`
}
