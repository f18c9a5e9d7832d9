/** What became of each change → a table in docs/reliability-tests.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const page = 'docs/reliability-tests.md'

/** @param {{ seed: string, block: string }} drawn `block`: between which marks of the page. */
export function writeTable(results, { seed, block }) {
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
  const [begin, end] = [`<!-- ${block} -->`, `<!-- /${block} -->`]
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`${page} has no ${begin} … ${end}.`)
  const all = (wanted) => results.filter(({ outcome }) => outcome === wanted).length
  const [refused, harmless, noticed] = ['refused', 'harmless', 'noticed'].map(all)
  const could = noticed + all('NOT NOTICED')
  const drawn = `${results.length} changes drawn by the seed ${seed}: ${results.length - refused} compile, and ${harmless} of these change nothing`
  const share = `tests notice ${noticed} of the other ${could}, which is ${Math.floor((noticed / Math.max(1, could)) * 100)} %`
  const text = `${begin}\n${lines.join('\n')}\n\n${drawn}; ${share}.\n`
  writeFileSync(page, before.slice(0, from) + text + before.slice(to))
}

function folderOf(file) {
  return dirname(file).split('/').slice(0, 3).join('/')
}
