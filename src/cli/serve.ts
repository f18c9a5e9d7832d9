/** `turnleaf serve`, which is `npm start`: the lab, and every stream of it read once before your eyes. */
import { join, relative } from 'node:path'
import { everyStream } from '../protocol/choose-streams.ts'
import { exitCodeOf, readStreams } from '../protocol/read.ts'
import { count } from '../protocol/say.ts'
import { openManifest } from './files.ts'
import { interrupted, listenForInterrupt } from './interrupt.ts'
import { openLab } from './lab.ts'
import { packageFolder } from './package.ts'
import { colours, isWatched, say } from './print.ts'
import { showProgress } from './progress.ts'
import { reportError } from './report.ts'

export async function runServe(): Promise<number> {
  const { signal } = listenForInterrupt()
  await using lab = await openLab({})
  const path = join(packageFolder(), 'connectors/lab/manifest.yaml')
  const manifest = await openManifest(path)
  const streams = everyStream(manifest)
  const config = { base_url: lab.url }

  say(`Reading every stream of the lab at ${lab.url}\n`)
  const startedAt = Date.now()
  const progress = showProgress(
    streams.map(({ name }) => name),
    { mode: isWatched ? 'live' : 'rows' },
  )
  const outcomes = await readStreams({
    manifest,
    config,
    streams,
    states: new Map(),
    options: { signal },
    emit: () => {},
    watch: progress,
  })
  progress.end()
  if (signal.aborted) return 0

  const records = outcomes.reduce((sum, outcome) => sum + outcome.records, 0)
  const pages = outcomes.reduce((sum, outcome) => sum + outcome.pages, 0)
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  say(`\n${count(records, 'record')} on ${count(pages, 'page')} in ${seconds} s.`)
  for (const { error } of outcomes) if (error !== undefined) reportError(error)
  if (exitCodeOf(outcomes) !== 0) say('Some streams failed; the lab stays open.')

  say(`\nThe lab stays open at ${colours.bold(lab.url)}. Ctrl-C closes it. Try, in another terminal:\n`)
  say(`  curl '${lab.url}/offset?offset=100&limit=2'`)
  say(`  npx turnleaf read --manifest-path ${shownPath(path)} --stream cursor${configHint(lab.port)}`)
  process.stdout.write(`${lab.url}\n`)
  await interrupted(signal)
  return 0
}

function shownPath(path: string): string {
  const shown = relative(process.cwd(), path)
  return shown.startsWith('..') ? path : shown
}

/** The manifest expects the lab at its usual port. */
function configHint(port: number): string {
  return port === 8082 ? '' : ` --config <(echo '{"base_url":"http://127.0.0.1:${port}"}')`
}
