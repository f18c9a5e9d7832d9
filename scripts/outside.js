/**
 * Checks the site, the docs, both APIs and the MCP server with tools of others: `npm run test:outside`. It downloads them into a
 * cache folder, so `npm test` leaves it out. `-- spectral links` runs only these; `-- --seed 4711 --count 100` draws other and
 * more requests. TURNLEAF_WRITE_DOCS=1 writes the table of docs/discovery.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compile } from './compile.js'
import { docsChecks } from './outside/docs-checks.js'
import { inspector } from './outside/inspector.js'
import { lighthouse } from './outside/lighthouse.js'
import { links } from './outside/links.js'
import { llms } from './outside/llms.js'
import { requests } from './outside/requests.js'
import { serve } from './outside/served.js'
import { spectral } from './outside/spectral.js'

const checks = { lighthouse, links, llms, docs: docsChecks, spectral, requests, mcp: inspector }

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string' } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !Object.hasOwn(checks, name))
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(' or ')}: ${Object.keys(checks).join(', ')}.`)
  process.exit(2)
}

compile({ build: 'not' })
const rows = []
const served = await serve()
try {
  for (const [name, check] of Object.entries(checks)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    console.error(`${name} …`)
    rows.push(...(await check(served, values).catch((error) => [failed(name, error)])))
  }
} finally {
  await served.close()
}

const lines = rows.map(lineOf)
console.log(`\n${tableOf(lines)}`)
for (const { tool, over, remarks } of rows) for (const remark of remarks) console.log(`\n${tool}, ${over}: ${remark}`)
const isGreen = rows.every((row) => row.isGreen)
if (isGreen && process.env.TURNLEAF_WRITE_DOCS === '1') writeDocs(lines)
console.log(isGreen ? '\nAll pass.' : '\nNot all pass.')
process.exit(isGreen ? 0 : 1)

function failed(name, error) {
  return { tool: name, over: '', result: 'did not run', isGreen: false, remarks: [error.message] }
}

function lineOf({ tool, over, result, isGreen: passes }) {
  return `| ${tool} | ${over} | ${passes ? '' : '✖ '}${result} |`
}

function tableOf(all) {
  return ['| tool | over | result |', '| --- | --- | --- |', ...all].join('\n')
}

/** Lines of tools that did not run now stay as they are. */
function writeDocs(now) {
  const file = 'docs/discovery.md'
  const old = readFileSync(file, 'utf8')
  const marked = /(?<=<!-- outside -->\n)[\s\S]*?(?=<!-- \/outside -->)/
  const nameOf = (line) => line.split(' ')[1]
  const names = new Set(now.map(nameOf))
  const kept = (marked.exec(old)?.[0] ?? '')
    .split('\n')
    .slice(2)
    .filter((line) => line !== '' && !names.has(nameOf(line)))
  const table = `${tableOf([...kept, ...now].toSorted((one, other) => (one < other ? -1 : 1)))}\n`
  writeFileSync(
    file,
    old.replace(marked, () => table),
  )
}
