/** The docs as they are served: every page of docs/, as HTML and as markdown, from the same text. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import MiniSearch from 'minisearch'
import { renderArticle } from '../../src/site/docs/doc-html.ts'
import { docSet, type DocPage } from '../../src/site/docs/doc-set.ts'
import { readSiteFiles } from '../../src/site/docs/read-docs.ts'
import { searchIndex } from '../../src/site/docs/search-index.ts'
import { searchOptions } from '../../src/site/docs/search-options.ts'
import { createSite } from '../../src/site/site.ts'
import { type Running, ask, siteFiles, startBoth } from './running.ts'

const docs = docSet(siteFiles.docs)
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let running: Running
before(async () => {
  running = await startBoth()
})
after(() => running[Symbol.asyncDispose]())

describe('the set of docs', () => {
  test('has every file of docs/, and docs/README.md lists each page', () => {
    const files = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
    assert.equal(docs.pages.length, files.length)
    const listed = new Set(docs.sections.flatMap(({ entries }) => entries.map(({ url }) => url.replace(/#.*/, ''))))
    const pages = docs.pages.filter(({ path }) => !path.startsWith('decisions/') && path !== 'README')
    assert.deepEqual(
      pages.map(({ url }) => url).filter((url) => !listed.has(url)),
      [],
    )
  })

  test('has a title and one line about each page', () => {
    for (const { path, title, description } of docs.pages) {
      assert.ok(title.length > 3, path)
      assert.ok(description.length > 10 && !/[`[\]]/.test(description), `${path}: ${description}`)
      assert.doesNotMatch(description, /^[a-z]/, path)
    }
  })

  test('knows when each page was changed: a date, and that of the history', () => {
    for (const { changedOn } of docs.pages) assert.match(changedOn, /^\d{4}-\d\d-\d\d$/)
  })
})

describe('a page', () => {
  test('every page is valid HTML with one heading of the first level, under a policy that allows nothing inline', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:recommended'],
      rules: { 'valid-id': ['error', { relaxed: true }], 'long-title': 'off', 'prefer-native-element': 'off' },
    })
    for (const { url } of docs.pages) {
      const { status, body, headers } = await ask(running.baseUrl + url, { headers: browser })
      assert.equal(status, 200, url)
      const report = await validator.validateString(body)
      const found = report.results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${ruleId} ${line}: ${message}`),
      )
      assert.deepEqual(found, [], url)
      assert.equal([...body.matchAll(/<h1\b/g)].length, 1, url)
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /script-src 'self'; /)
      assert.doesNotMatch(policy, /unsafe|sha256/)
      assert.doesNotMatch(body, /<script>|<style>|\s(?:style|on[a-z]+)="/, url)
    }
  })

  test('is negotiated: HTML, markdown and plain text at one address, markdown at its own', async () => {
    for (const { url, markdownUrl, title } of docs.pages) {
      const html = await ask(running.baseUrl + url, { headers: browser })
      const markdown = await ask(running.baseUrl + url, { headers: { Accept: 'text/markdown, text/html;q=0.9' } })
      const own = await ask(running.baseUrl + markdownUrl, { headers: browser })
      const plain = await ask(running.baseUrl + url, { headers: { Accept: 'text/plain' } })
      assert.equal(html.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8')
      assert.equal(plain.headers['content-type'], 'text/plain; charset=utf-8')
      assert.equal(own.headers['content-type'], 'text/markdown; charset=utf-8')
      assert.equal(own.body, markdown.body)
      assert.equal(plain.body, markdown.body)
      assert.equal(markdown.headers['content-location'], markdownUrl)
      assert.ok(markdown.body.startsWith(`---\ntitle: ${JSON.stringify(title)}\n`), url)
      assert.ok(
        html.body.includes(`<link rel="alternate" type="text/markdown" href="${running.baseUrl}${markdownUrl}"`),
      )
      assert.match(String(html.headers.vary), /^Accept/)
    }
    const refused = await ask(`${running.baseUrl}/docs/sync`, { headers: { Accept: 'image/png' } })
    assert.equal(refused.status, 406)
  })

  test('says in markdown what the file says, links apart', async () => {
    const words = (text: string) => text.replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    for (const { path, markdownUrl } of docs.pages) {
      const { body } = await ask(running.baseUrl + markdownUrl)
      assert.ok(words(body).endsWith(words(readFileSync(`docs/${path}.md`, 'utf8'))), path)
    }
  })

  test('has the same headings as the file, each with an anchor', () => {
    const headings = docs.pages.flatMap((page) => renderArticle(page, docs).headings)
    assert.ok(headings.length > 400, `${headings.length}`)
    for (const page of docs.pages) {
      const { html, headings: own } = renderArticle(page, docs)
      const ids = own.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length, page.path)
      assert.doesNotMatch(html, /#<\/a><\/h\d>/, 'a sign that programs would take for a part of the heading')
    }
  })

  test('is kept by its tag, in every coding', async () => {
    for (const coding of ['br', 'gzip', 'identity']) {
      const headers = { ...browser, 'Accept-Encoding': coding }
      const first = await ask(`${running.baseUrl}/docs/cli`, { headers })
      assert.equal(first.headers['content-encoding'], coding === 'identity' ? undefined : coding)
      const again = await ask(`${running.baseUrl}/docs/cli`, {
        headers: { ...headers, 'If-None-Match': String(first.headers.etag) },
      })
      assert.equal(again.status, 304)
    }
  })

  test('names previous and next, in the order of docs/README.md', async () => {
    const { body } = await ask(`${running.baseUrl}/docs/incremental`, { headers: browser })
    assert.match(body, /rel="prev" href="\/docs\/pagination"/)
    assert.match(body, /rel="next" href="\/docs\/child-streams"/)
    assert.match(body, /href="\/docs\/incremental" aria-current="page"/)
  })

  test('a slash at the end leads to the page', async () => {
    for (const path of ['/docs', '/docs/sync']) {
      const { status, headers } = await ask(`${running.baseUrl}${path}/`)
      assert.equal(status, 308, path)
      assert.equal(headers.location, `${running.baseUrl}${path}`)
    }
  })
})

describe('markdown that means harm', () => {
  const hostile = `# <img src=x onerror=alert(1)>

<script>alert(1)</script>

Text <b onclick="alert(1)">bold</b> [link](javascript:alert(1)) [other](data:text/html,x) ![p](https://elsewhere.example/x.png)

<!-- a mark --> [<i>x</i>](sync.md"onclick=alert(1))

\`\`\`"><script>
</code></pre><script>alert(1)</script>
\`\`\`

| <u>a</u> |
| --- |
| <iframe src="//elsewhere.example"></iframe> |

<a href="https://autolink.example/">x</a> <https://elsewhere.example/"onmouseover="alert(1)>
`
  const page: DocPage = {
    path: 'hostile',
    text: hostile,
    changedOn: '2026-01-01',
    url: '/docs/hostile',
    markdownUrl: '/docs/hostile.md',
    title: 'x',
    description: 'x',
  }

  test('is shown as text: no element, attribute or address of its own comes through', () => {
    const { html } = renderArticle(page, docs)
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => String(name).toLowerCase())
    const allowed = new Set([
      'h1',
      'p',
      'a',
      'div',
      'pre',
      'code',
      'button',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
    ])
    assert.deepEqual(
      tags.filter((name) => !allowed.has(name)),
      [],
    )
    for (const [, attributes = ''] of html.matchAll(/<[a-z0-9]+((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g)) {
      assert.doesNotMatch(attributes.replace(/="[^"]*"/g, ''), /\bon/)
    }
    assert.doesNotMatch(html, /href="(?:javascript|data):/)
    assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;'))
  })
})

describe('search', () => {
  test('the index that was built is that of these docs', () => {
    assert.ok(siteFiles.search !== null, 'the docs have changed since the build: npm run build')
    assert.equal(siteFiles.search, searchIndex(docs))
  })

  test('finds a part of a page, and its address exists', async () => {
    const { body, headers } = await ask(`${running.baseUrl}/docs/search.json`)
    assert.equal(headers['content-type'], 'application/json')
    const index = MiniSearch.loadJSON(body, searchOptions)
    const first = (words: string) => String(index.search(words)[0]?.id)
    assert.equal(first('pagination/loop'), '/docs/errors#paginationloop')
    assert.match(first('cursor pagination'), /^\/docs\/pagination#cursor/)
    assert.match(first('kubernetes'), /^\/docs\/running/)
    for (const words of ['retry', 'retries', 'retried']) assert.equal(first(words), '/docs/reliability#retries')
    for (const words of ['resume', 'duplicate', 'token', 'parquet', 'cron']) {
      for (const { id } of index.search(words)) {
        const [path = '', anchor] = String(id).split('#')
        const page = docs.pages.find(({ url }) => url === path) ?? assert.fail(path)
        if (anchor !== undefined)
          assert.ok(
            renderArticle(page, docs).headings.some((heading) => heading.id === anchor),
            String(id),
          )
      }
    }
  })
})

describe('llms-full.txt', () => {
  test('has every page once, in reading order', async () => {
    const { body, headers } = await ask(`${running.baseUrl}/llms-full.txt`)
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    const found = [...body.matchAll(/^<!-- (\S+) -->$/gm)].map(([, url]) => url)
    assert.deepEqual(
      found.filter((url) => url?.startsWith(running.baseUrl)),
      docs.pages.map(({ url }) => running.baseUrl + url),
    )
  })
})

test('a page edited after the build is served as it is now, with the date of its file, and found', () => {
  const files = readSiteFiles('.')
  const changed = {
    ...files,
    search: null,
    docs: files.docs.map((doc) => (doc.path === 'sync' ? { ...doc, text: '# Sync\n\nXylophone.\n' } : doc)),
  }
  const site = createSite(
    { baseUrl: 'https://turnleaf.example', apiUrl: 'https://api.turnleaf.example', version: '1.0.0' },
    changed,
  )
  assert.match(site({ method: 'GET', target: '/docs/sync' }).body.toString(), /Xylophone/)
  assert.match(site({ method: 'GET', target: '/docs/search.json' }).body.toString(), /xylophone/)
})
