/** What became of each change → the table in docs/reliability.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const page = 'docs/reliability.md'

/** @param {{ seed: string }} drawn */
export function writeTable(results, { seed }) {
  const groups = Map.groupBy
    ? Map.groupBy(results, ({ file }) => folderOf(file))
    : results.reduce(
        (map, one) => map.set(folderOf(one.file), [...(map.get(folderOf(one.file)) ?? []), one]),
        new Map(),
      )
  const rowOf = (name, these) => {
    const count = (isIn) => these.filter(isIn).length
    const byCompiler = count(({ by }) => by === 'the compiler')
    const noticed = count(({ outcome }) => outcome === 'noticed') - byCompiler
    const cells = [name, these.length, noticed, byCompiler, count(({ outcome }) => outcome === 'harmless')]
    return `| ${[...cells, count(({ outcome }) => outcome === 'NOT NOTICED')].join(' | ')} |`
  }
  const lines = [
    '| changed in | changes | noticed by a test | by the compiler | change nothing | not noticed |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...[...groups]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([folder, these]) => rowOf(`\`${folder}\``, these)),
    rowOf('**all**', results),
  ]
  const before = readFileSync(page, 'utf8')
  const [begin, end] = ['<!-- mutations -->', '<!-- /mutations -->']
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`${page} has no ${begin} … ${end}.`)
  const text = `${begin}\n${lines.join('\n')}\n\n${results.length} changes, seed ${seed}.\n`
  writeFileSync(page, before.slice(0, from) + text + before.slice(to))
}

function folderOf(file) {
  return dirname(file).split('/').slice(0, 3).join('/')
}
