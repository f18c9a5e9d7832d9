/** The homepage says the same in HTML and in markdown, and what it says is what the source does. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import { createLoopGuard } from '../../src/engine/pagination/loop-guard.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import * as turnleaf from '../../src/index.ts'
import { faults } from '../../src/lab/faults.ts'
import { startLab } from '../../src/lab/lab.ts'
import { contentOf } from '../../src/site/homepage/content.ts'
import { homepage } from '../../src/site/homepage/homepage.ts'
import { docSet } from '../../src/site/docs/doc-set.ts'
import { readSiteFiles } from '../../src/site/docs/read-docs.ts'
import { page as docsPage } from '../helpers/docs.ts'

const facts = { baseUrl: 'https://turnleaf.example', apiUrl: 'https://api.turnleaf.example', version: '9.8.7' }
const { sections } = docSet(readSiteFiles('.').docs)
const content = contentOf(facts, sections)
const { html, markdown } = homepage(facts, sections)

/**
 * Names of anchors and marked parts are no facts; neither is the line for search results, which is HTML only. A chart is a picture
 * whose alternative text says the same, and the table of its figures is for markdown only.
 */
const unsaid = new Set(['id', 'marked', 'description', 'from', 'ratio', 'identical', 'deliberate', 'chart', 'table'])

function factsIn(value: unknown): string[] {
  if (typeof value === 'string') return [plain(value)]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => (unsaid.has(key) ? [] : factsIn(part)))
}

const plain = (text: string) => text.replaceAll('`', '').replace(/\s+/g, ' ').trim()

function textOfHtml(page: string): string {
  const body = page
    .slice(page.indexOf('<body>'))
    .replace(/<script>[\s\S]*?<\/script>/g, '')
    // Where a link leads counts as said: markdown writes it out.
    .replace(/<a [^>]*href="([^"]*)"(?: title="([^"]*)")?[^>]*>/g, ' $1 $2 ')
    .replace(/<img [^>]*alt="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<\/?(?:b|code|strong|tspan)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
  const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }
  return plain(body.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => named[name] ?? ''))
}

test('every fact is in both representations', () => {
  const said = { html: textOfHtml(html), markdown: plain(markdown) }
  const told = factsIn(content)
  assert.ok(told.length > 120, `${told.length} facts`)
  assert.deepEqual(
    told.filter((fact) => !said.html.includes(fact)),
    [],
    'missing in HTML',
  )
  assert.deepEqual(
    told.filter((fact) => !said.markdown.includes(fact)),
    [],
    'missing in markdown',
  )
})

test('html-validate finds nothing', async () => {
  const report = await new HtmlValidate({ extends: ['html-validate:recommended'] }).validateString(html)
  const found = report.results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))
  assert.deepEqual(found, [])
})

test('the page is small', () => {
  assert.ok(Buffer.byteLength(html) < 60_000, `${Buffer.byteLength(html)} bytes of HTML`)
  assert.ok(markdown.length < 50_000, `${markdown.length} characters of markdown`)
})

test('every address is of this product; schema.org is a name and is never fetched', () => {
  for (const page of [html, markdown]) {
    const origins = [...page.matchAll(/https?:\/\/[^\s"'<>()/\]`]+/g)].map(([origin]) => origin)
    assert.deepEqual(
      new Set(origins.filter((origin) => origin !== 'https://schema.org')),
      new Set([facts.baseUrl, facts.apiUrl]),
    )
  }
})

test('a strict Content-Security-Policy holds: one script, one style sheet, no attributes of either kind', () => {
  assert.equal([...html.matchAll(/<script>/g)].length, 1)
  assert.equal([...html.matchAll(/<style>/g)].length, 1)
  assert.doesNotMatch(html, /\s(?:style|on[a-z]+)="/)
})

test('what search engines and agents look for is in the head', () => {
  const description = /<meta name="description" content="([^"]+)"/.exec(html)?.[1] ?? ''
  assert.ok(description.length >= 50 && description.length <= 170, `${description.length} characters of description`)
  for (const part of [
    '<html lang="en">',
    '<link rel="canonical" href="https://turnleaf.example/"',
    '<link rel="alternate" type="text/markdown" href="https://turnleaf.example/index.md"',
    '"softwareVersion":"9.8.7"',
    '<meta property="og:title" content="',
    '<meta property="og:description" content="',
    '<meta property="og:url" content="https://turnleaf.example/"',
  ]) {
    assert.ok(html.includes(part), part)
  }
})

test('the way to llms.txt is the first thing in the body after the link to the content, and in the head before the style', () => {
  assert.match(
    html,
    /<body>\n<a class="skip" href="#main">.+<\/a>\n<header class="top"><a class="skip" href="\/llms\.txt">/,
  )
  assert.ok(html.indexOf('href="https://turnleaf.example/llms.txt"') < html.indexOf('<style>'))
})

test('the probe is named, never linked: a link checker would report it as broken', () => {
  assert.ok(html.includes('<code>https://turnleaf.example/api/x402</code>'))
  assert.ok(markdown.includes('`https://turnleaf.example/api/x402`'))
  assert.doesNotMatch(html, /href="[^"]*x402"/)
  assert.doesNotMatch(markdown, /\]\([^)]*x402\)/)
})

test('what has an aria-label has a role that may have one', () => {
  for (const [tag] of html.matchAll(/<(?:pre|div|span|p|code)\b[^>]*aria-label=[^>]*>/g)) assert.match(tag, / role="/)
})

test('facts from the configuration cannot break out of the page', () => {
  const page = homepage({ ...facts, version: '</script><script>"&' }, sections).html
  assert.equal([...page.matchAll(/<script>/g)].length, 1)
})

suite('markdown', () => {
  test('has the figures of all readers as a table, where HTML has charts', () => {
    const { columns, rows } = content.peers.table
    assert.ok(rows.length >= 6 && columns.length >= 5, `${rows.length} × ${columns.length}`)
    for (const cells of [columns, ...rows]) assert.ok(markdown.includes(`\n| ${cells.join(' | ')} |\n`), cells.join())
    assert.equal(content.peers.charts.length, 2)
  })
  test('starts with the name, a summary and the way to llms.txt', () => {
    assert.match(
      markdown,
      /^---\n(?:\w+: ".+"\n){3}---\n\n# Turnleaf\n\n> .+\n\n.*\(https:\/\/turnleaf\.example\/llms\.txt\)/,
    )
  })
  test('closes every fence, and every link is absolute', () => {
    assert.equal([...markdown.matchAll(/^```/gm)].length % 2, 0)
    assert.deepEqual(
      [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url).filter((url) => !url?.startsWith('https://')),
      [],
    )
  })
})

suite('what the page claims is what the source does', () => {
  test('the loop error is the one the guard throws for these pages', () => {
    const guard = createLoopGuard({ streamName: 'orders', primaryKey: [['id']], at: { pointer: '/streams/0' } })
    const { failure } = content.diagnosis
    const pages = ['/orders', '/orders?start=100', '/orders?start=200', '/orders?start=300']
    const read = () => {
      for (const request of pages) {
        guard({
          request: { method: 'GET', url: `http://127.0.0.1${request}`, headers: {} } as Parameters<
            typeof guard
          >[0]['request'],
          received: [{ id: 1 }, { id: 100 }],
        })
      }
    }
    assert.throws(read, (error) => {
      assert.ok(error instanceof ConnectorError)
      assert.deepEqual(
        { code: error.code, message: error.message, try: error.hint },
        { code: failure.code, message: failure.message, try: failure.try },
      )
      return true
    })
  })

  test('the finding is what diagnosis says of an API that sends smaller pages', async () => {
    await using lab = await startLab()
    const text = readFileSync('connectors/lab/manifest.yaml', 'utf8')
      .replace('http://127.0.0.1:8082', lab.url)
      .replace('path: /offset\n', 'path: /faults/capped-size/offset\n')
    const { findings } = await turnleaf.diagnose(text, { stream: 'offset' })
    const shown = findings.map(({ code, says, fix }) => {
      return { code, title: turnleaf.findingTitles[code], says, fix: fix?.says, retest: fix?.retest?.says }
    })
    assert.deepEqual(shown, [content.diagnosis.finding])
    assert.ok(content.diagnosis.note.includes('in eighteen ways'))
    assert.equal(faults.length, 18)
  })

  test('the figures of detection are those of the docs', () => {
    const [, shapes, exact, , wrong, most] =
      /^\| \*\*all\*\* \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/m.exec(docsPage('reliability-tests')) ?? []
    const [read, sure] = content.manifests.figures
    assert.deepEqual([read?.value, sure?.value], [exact, wrong])
    assert.ok(read?.label.includes(`of ${shapes} random APIs`))
    assert.ok(sure?.label.includes(`${most} requests at most`))
  })

  test('it lists every page of the docs that docs/README.md lists, and the figures are those of docs/compatibility.md', () => {
    const entries = sections.flatMap((section) => section.entries)
    assert.ok(entries.length > 20, `${entries.length} pages`)
    for (const { url } of entries) assert.ok(html.includes(`href="${url}"`), url)
    const table = readFileSync('docs/compatibility.md', 'utf8')
    for (const figure of ['4,477', '4,745', '268', '332']) {
      assert.ok(table.includes(figure), figure)
      assert.ok(markdown.includes(figure), figure)
    }
  })
})
