import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import robotsParser from 'robots-parser'
import { docSet } from '../../src/site/docs/doc-set.ts'
import { type Running, ask, siteFiles, startBoth } from './running.ts'

const docs = docSet(siteFiles.docs)

let running: Running
before(async () => {
  running = await startBoth()
})
after(() => running[Symbol.asyncDispose]())

const textAt = async (path: string) => (await ask(running.baseUrl + path)).body

describe('robots.txt', () => {
  test('robots-parser: everybody may read everything, agents with a name too', async () => {
    const url = `${running.baseUrl}/robots.txt`
    // Its types say `export default`; the package is CommonJS.
    const parse = robotsParser as unknown as typeof robotsParser.default
    const robots = parse(url, await textAt('/robots.txt'))
    for (const agent of ['Googlebot', 'GPTBot', 'ClaudeBot', 'PerplexityBot', 'CCBot', 'curl']) {
      for (const path of ['/', '/index.md', '/api/x402', '/.well-known/api-catalog']) {
        assert.equal(robots.isAllowed(running.baseUrl + path, agent), true, `${agent} ${path}`)
      }
    }
    assert.deepEqual(robots.getSitemaps(), [`${running.baseUrl}/sitemap.xml`])
  })

  test('says in each group what the content may be used for', async () => {
    const groups = (await textAt('/robots.txt')).split('\n\n').filter((group) => group.startsWith('User-agent:'))
    assert.equal(groups.length, 2)
    for (const group of groups) assert.match(group, /^Content-Signal: search=yes, ai-input=yes, ai-train=no$/m)
  })
})

describe('sitemap.xml', () => {
  test('is well-formed, of its namespace, and lists the homepage and the docs, each with the day it changed', async () => {
    const xml = await textAt('/sitemap.xml')
    assert.match(
      xml,
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">/,
    )
    assert.deepEqual(
      [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url),
      ['/', ...docs.pages.map(({ url }) => url)].map((path) => running.baseUrl + path),
    )
    assert.deepEqual(unbalanced(xml), [])
    const days = [...xml.matchAll(/<lastmod>([^<]*)<\/lastmod>/g)].map(([, day]) => day)
    assert.ok(days.length >= docs.pages.length)
    for (const day of days) assert.match(String(day), /^\d{4}-\d\d-\d\d$/)
    assert.equal(xml, await textAt('/sitemap.xml'))
  })
})

/** Elements that are opened and not closed, or the other way round. */
function unbalanced(xml: string): string[] {
  const open: string[] = []
  for (const [, slash, name = ''] of xml.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
    if (slash === '') open.push(name)
    else if (open.at(-1) === name) open.pop()
    else open.push(`/${name}`)
  }
  return open
}

describe('llms.txt', () => {
  test('has a title, a summary, and sections of links with notes', async () => {
    const text = await textAt('/llms.txt')
    // The reference parser takes one line as the summary.
    assert.match(text, /^# Turnleaf\n\n> Turnleaf .+\.\n\n[^>]/)
    assert.doesNotMatch(text, /\]\([^)]*x402\)/)
    const sections = text.split(/^## /m).slice(1)
    assert.ok(sections.length >= 3)
    for (const section of sections) {
      const [title, ...lines] = section.trim().split('\n')
      assert.ok(title)
      for (const line of lines.filter(Boolean)) assert.match(line, /^- \[[^\]]+\]\(https?:\/\/[^)]+\): \S/)
    }
  })
})

describe('security.txt', () => {
  test('names a contact, and a day on which it expires: RFC 9116', async () => {
    const text = await textAt('/.well-known/security.txt')
    assert.match(text, new RegExp(`^Contact: ${running.baseUrl}/$`, 'm'))
    const expires = /^Expires: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/m.exec(text)?.[1]
    const days = (Date.parse(String(expires)) - Date.now()) / 86_400_000
    assert.ok(days > 30 && days < 365, `${days} days`)
    assert.equal(text.match(/^Expires:/gm)?.length, 1)
  })
})

describe('favicon', () => {
  test('is what its type says', async () => {
    const { bytes } = await ask(`${running.baseUrl}/favicon.ico`)
    assert.deepEqual([...bytes.subarray(0, 6)], [0, 0, 1, 0, 1, 0])
    assert.equal(bytes.subarray(22, 30).toString('latin1'), '\u0089PNG\r\n\u001a\n')
    assert.equal(bytes.readUInt32LE(14), bytes.length - 22)
    assert.match(await textAt('/favicon.svg'), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  })
})
