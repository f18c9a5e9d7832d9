/** What the web app weighs, when a browser first shows something of it, and what a large manifest costs in it. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { neededFiles } from '../src/server/built-files.ts'
import { apiListener } from '../src/server/server.ts'
import { openSchedules } from '../src/server/schedules/schedules.ts'
import { openSyncs } from '../src/server/syncs/syncs.ts'
import { listen } from '../src/site/listen.ts'
import { benchmarkLargeManifest } from './large-manifest.ts'
import { median } from './median.ts'

const rounds = 7
const pages = 'dist/builder'
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'

export async function benchmarkBuilder(): Promise<void> {
  const page = readFileSync(join(pages, 'index.html'), 'utf8')
  const all = readdirSync(join(pages, 'assets')).map((name) => `assets/${name}`)
  const first = all.filter((file) => page.includes(file))
  const editor = neededFiles(pages, 'editor/editor-page.tsx').filter((file) => !first.includes(file))
  const others = all.filter((file) => !first.includes(file) && !editor.includes(file))
  const sizes = [first, editor, others].map((files) => `${packedKilobytes(files).toFixed(0)} KB`)
  console.log(`builder, gzip: the list of connectors ${sizes[0]}, the editor ${sizes[1]} more, on demand ${sizes[2]}`)
  if (existsSync(executablePath)) await benchmarkPaint()
  else console.log('builder, first paint: no Chromium here')
}

function packedKilobytes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(pages, file))).length, 0) / 1024
}

async function benchmarkPaint(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'turnleaf-bench-'))
  const egress = 'loopback-allowed'
  await using syncs = openSyncs({ home, egress })
  await using schedules = openSchedules({ home, egress, token: null })
  const services = { home, pages, lab: null, token: null, egress, syncs, schedules } as const
  await using api = await listen({})
  api.serve(apiListener({ baseUrl: 'http://127.0.0.1:1', apiUrl: api.url, version: '0' }, services))
  await using bare = await listen({})
  bare.serve((_request, response) => void response.end('<!doctype html><title>bare</title><p>one line'))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] })
  try {
    const measured: { builder: number; bare: number }[] = []
    for (let round = 0; round <= rounds; round++) {
      const times = { bare: await paintedAfter(browser, bare.url), builder: await paintedAfter(browser, api.url) }
      if (round > 0) measured.push(times)
    }
    const [one, other] = [median(measured.map((times) => times.builder)), median(measured.map((times) => times.bare))]
    console.log(`builder, first paint: ${one.toFixed(0)} ms; a page of one line: ${other.toFixed(0)} ms`)
    await benchmarkLargeManifest(browser, api.url)
  } finally {
    await browser.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Nothing is in the browser's store yet. */
async function paintedAfter(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  const painted = `new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const [paint] = list.getEntriesByName('first-contentful-paint')
      if (paint !== undefined) resolve(paint.startTime)
    }).observe({ type: 'paint', buffered: true })
  })`
  const time = Number(await page.evaluate(painted))
  await context.close()
  return time
}
