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
    const counts = ['refused', 'harmless', 'noticed', 'NOT NOTICED'].map((wanted) =>
      count(({ outcome }) => outcome === wanted),
    )
    return `| ${[name, these.length, ...counts].join(' | ')} |`
  }
  const lines = [
    '| changed in | changes | refused by the compiler | change nothing | noticed by a test | not noticed |',
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
  const all = (wanted) => results.filter(({ outcome }) => outcome === wanted).length
  const could = all('noticed') + all('NOT NOTICED')
  const share = `tests notice ${all('noticed')} of the ${could} that compile and change something`
  const text = `${begin}\n${lines.join('\n')}\n\n${results.length} changes, seed ${seed}: ${share}.\n`
  writeFileSync(page, before.slice(0, from) + text + before.slice(to))
}

function folderOf(file) {
  return dirname(file).split('/').slice(0, 3).join('/')
}
