/** `turnleaf serve`, which is `npm start`: site, API and lab, and every stream of the lab read once before your eyes. */
import { join, relative } from 'node:path'
import type { Lab } from '../lab/lab.ts'
import { writtenStreams } from '../engine/streams/resolve-streams.ts'
import { everyStream } from '../protocol/choose-streams.ts'
import { exitCodeOf, readStreams } from '../protocol/read.ts'
import { count } from '../protocol/say.ts'
import { apiListener } from '../server/server.ts'
import { checkOrigin } from '../site/origin.ts'
import { createSite, siteListener } from '../site/site.ts'
import { openManifest } from './files.ts'
import { interrupted, listenForInterrupt } from './interrupt.ts'
import { openLab, usualPort } from './lab.ts'
import { openPort } from './open-port.ts'
import { packageFolder, packageVersion } from './package.ts'
import { colours, isWatched, row, say } from './print.ts'
import { showProgress } from './progress.ts'
import { reportError } from './report.ts'

export type ServeCommandOptions = {
  readonly host?: string
  readonly sitePort?: number
  readonly apiPort?: number
  readonly labPort?: number
  /** `--no-read` makes it false. */
  readonly read: boolean
}

export async function runServe({
  host: askedHost,
  sitePort,
  apiPort,
  labPort,
  read,
}: ServeCommandOptions): Promise<number> {
  const { signal } = listenForInterrupt()
  const host = askedHost ?? (process.env.TURNLEAF_HOST || '127.0.0.1')
  const askedBaseUrl = originFrom('TURNLEAF_BASE_URL')
  const askedApiUrl = originFrom('TURNLEAF_API_URL')

  await using site = await openPort({
    name: 'site',
    host,
    asked: sitePort,
    variable: 'TURNLEAF_SITE_PORT',
    usual: 8080,
  })
  await using api = await openPort({ name: 'API', host, asked: apiPort, variable: 'TURNLEAF_API_PORT', usual: 8081 })
  await using lab = await openLab(labPort === undefined ? {} : { port: labPort })
  const facts = { baseUrl: askedBaseUrl ?? site.url, apiUrl: askedApiUrl ?? api.url, version: packageVersion() }
  site.serve(siteListener(createSite(facts)))
  api.serve(apiListener(facts))

  sayAddress('site', site.url, facts.baseUrl)
  sayAddress('API', api.url, facts.apiUrl)
  sayAddress('lab', lab.url, lab.url)
  if (read) await walk(lab, signal)
  if (signal.aborted) return 0
  say(`\nAll stay open until Ctrl-C. Try, in another terminal:\n`)
  say(`  curl '${lab.url}/offset?offset=100&limit=2'`)
  say(`  npx turnleaf read --manifest-path ${shownPath(labManifest())} --stream cursor${configHint(lab.port)}`)
  process.stdout.write(`${lab.url}\n`)
  await interrupted(signal)
  return 0
}

function originFrom(variable: string): string | undefined {
  const text = process.env[variable]
  return text === undefined || text === '' ? undefined : checkOrigin(text, variable)
}

function sayAddress(name: string, url: string, published: string): void {
  const note = published === url ? '' : `published as ${published}`
  say(row([{ width: 4 }, { width: 0 }, { width: 0 }], [name, colours.bold(url), note]))
}

function labManifest(): string {
  return join(packageFolder(), 'connectors/lab/manifest.yaml')
}

/** Reads every stream of the lab, and says what came of it. */
async function walk(lab: Lab, signal: AbortSignal): Promise<void> {
  const manifest = await openManifest(labManifest())
  const config = { base_url: lab.url }
  const streams = everyStream(writtenStreams({ manifest, config }))

  say(`\nReading every stream of the lab at ${lab.url}\n`)
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
  if (signal.aborted) return

  const records = outcomes.reduce((sum, outcome) => sum + outcome.records, 0)
  const pages = outcomes.reduce((sum, outcome) => sum + outcome.pages, 0)
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  say(`\n${count(records, 'record')} on ${count(pages, 'page')} in ${seconds} s.`)
  for (const { error } of outcomes) if (error !== undefined) reportError(error)
  if (exitCodeOf(outcomes) !== 0) say('Some streams failed; the lab stays open.')
}

function shownPath(path: string): string {
  const shown = relative(process.cwd(), path)
  return shown.startsWith('..') ? path : shown
}

function configHint(port: number): string {
  return port === usualPort ? '' : ` --config <(echo '{"base_url":"http://127.0.0.1:${port}"}')`
}
