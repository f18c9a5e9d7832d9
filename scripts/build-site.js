/** src/site/browser → scripts for the pages of the docs; when each page was last changed; and the index for search. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'

export async function buildSite(folder) {
  await build({
    input: { page: 'src/site/browser/page.ts', theme: 'src/site/browser/theme.ts' },
    platform: 'browser',
    tsconfig: false,
    transform: { target: 'es2022' },
    logLevel: 'warn',
    checks: { bundlerTimings: false },
    // Fixed names: they are served with tags, and the part for search is loaded by its name.
    output: { dir: folder, format: 'esm', minify: true, chunkFileNames: '[name].js', comments: { legal: true } },
  })
  writeFileSync(join(folder, 'dates.json'), `${JSON.stringify(datesOf(), null, 2)}\n`)
  writeFileSync(join(folder, 'search.json'), await indexOfDocs())
}

/** Takes half a second, so it is not made at each start. */
async function indexOfDocs() {
  const { output } = await build({
    input: 'src/site/docs/build-search.ts',
    write: false,
    platform: 'node',
    tsconfig: false,
    logLevel: 'warn',
  })
  const { buildSearch } = await import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`)
  return buildSearch('docs')
}

/** From the history; where there is none, from the files. A page that is edited later has another hash. */
function datesOf() {
  const edited = spawnSync('git', ['status', '--porcelain', '--', 'docs'], { encoding: 'utf8' }).stdout ?? ''
  const names = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const docs = names.toSorted().map((name) => {
    const file = join('docs', name)
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
    return [name.replaceAll('\\', '/').slice(0, -'.md'.length), { hash, changedOn: dateOf(file, edited) }]
  })
  const homepage = commitDate('src/site/homepage')
  return { ...(homepage !== undefined && { homepage }), docs: Object.fromEntries(docs) }
}

/** Of its last commit, unless it was edited since. */
function dateOf(file, edited) {
  return (edited.includes(file) ? undefined : commitDate(file)) ?? fileDate(file)
}

function commitDate(path) {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%cs', '--', path], { encoding: 'utf8' })
  return status === 0 && /^\d{4}-\d\d-\d\d\n$/.test(stdout) ? stdout.trim() : undefined
}

function fileDate(file) {
  return statSync(file).mtime.toISOString().slice(0, 10)
}
