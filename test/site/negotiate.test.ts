import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import { negotiateContent } from '@mdream/js/negotiate'
import { negotiate, negotiateProblem, parseAccept } from '../../src/site/negotiate.ts'
import { type Running, ask, startBoth } from './running.ts'

type Expected = 'html' | 'markdown' | 'text' | null

const browser =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

/** The table of our reference, and what real clients send; the oracle agrees with every row. */
const agreed: [accept: string | undefined, expected: Expected][] = [
  [undefined, 'html'],
  ['', 'html'],
  ['*/*', 'html'],
  ['text/*', 'html'],
  ['text/html', 'html'],
  [browser, 'html'],
  ['text/markdown', 'markdown'],
  ['text/markdown, text/html, */*', 'markdown'],
  ['text/markdown, text/plain;q=0.9, */*;q=0.8', 'markdown'],
  ['text/markdown, text/html;q=0.9, */*;q=0.8', 'markdown'],
  ['text/html, */*', 'html'],
  ['text/html, text/markdown', 'html'],
  ['text/html;q=0.9, text/markdown;q=0.9', 'html'],
  ['text/markdown;q=0.5, text/html;q=0.9', 'html'],
  ['text/html;q=0.5, text/markdown;q=0.9', 'markdown'],
  ['text/html;q=0.001, text/markdown;q=0.002', 'markdown'],
  ['text/markdown, text/plain;q=0.5, */*;q=0.1', 'markdown'],
  ['text/markdown;q=0.1, */*', 'html'],
  ['*/*, text/markdown', 'html'],
  ['text/markdown, */*', 'markdown'],
  ['text/html;q=0, text/markdown', 'markdown'],
  ['text/html;q=0, */*', 'markdown'],
  ['text/markdown;q=0, */*', 'html'],
  ['text/markdown;q=0', null],
  ['text/html;q=0', null],
  ['text/html;q=0, text/markdown;q=0', null],
  ['text/html;q=0, text/markdown;q=0, */*', null],
  ['application/json', null],
  ['application/json, */*;q=0.1', 'html'],
  ['image/*', null],
  ['*/*;q=0', null],
  ['TEXT/MARKDOWN', 'markdown'],
  ['Text/Html;Q=0.5, text/markdown;Q=0.6', 'markdown'],
  ['text/markdown;charset=utf-8', 'markdown'],
  ['text/markdown;variant=GFM', 'markdown'],
  ['text/markdown ; q=0.4 , text/html ; q=0.3', 'markdown'],
  [',,, text/markdown ,,', 'markdown'],
  ['garbage', null],
  ['text/html;q=high', null],
  ['text/html;q=-1, text/markdown;q=0.1', 'markdown'],
]

/** Where the oracle is laxer than RFC 9110, or takes other types for ours. */
const ours: [accept: string, expected: Expected, why: string][] = [
  ['   ', 'html', 'blank is empty'],
  ['text/plain', 'text', 'the oracle calls it markdown'],
  ['text/plain, */*;q=0.1', 'text', 'it is named, and preferred'],
  ['text/plain;q=0.9, text/markdown', 'markdown', 'markdown weighs more'],
  ['text/plain;q=0.5, text/html;q=0.8', 'html', 'HTML weighs more'],
  ['text/plain;q=0', null, 'nothing is left'],
  ['application/xhtml+xml', null, 'the oracle takes XHTML for HTML'],
  ['text/html;q=1.5, text/markdown;q=0.1', 'markdown', 'a weight above 1 cannot be read'],
  ['text/*;q=0, */*', null, 'text/* is more specific than */*'],
  ['text/*;q=0.2, */*;q=0.9, text/markdown;q=0.5', 'markdown', 'text/* decides about HTML'],
  ['text/html;level="a,b";q=0.1, text/markdown;q=0.5', 'markdown', 'a comma within quotes separates nothing'],
  ['text/html;level=1;q=0.1, text/html;q=0.7, text/markdown;q=0.5', 'html', 'a level we do not have says little'],
]

const types = { html: 'html', markdown: 'markdown', text: 'plain' }

const shown = (face: Expected) => face ?? 'not-acceptable'

describe('negotiation', () => {
  for (const [accept, expected] of agreed) {
    test(`${JSON.stringify(accept) ?? 'absent'} → ${shown(expected)}, and @mdream/js agrees`, () => {
      assert.equal(negotiate(accept), expected)
      assert.equal(negotiateContent(accept), shown(expected))
    })
  }
  for (const [accept, expected, why] of ours) {
    test(`${JSON.stringify(accept)} → ${shown(expected)}: ${why}`, () => assert.equal(negotiate(accept), expected))
  }

  test('thousands of ranges cost no more than a hundred', () => {
    assert.equal(parseAccept('a/b,'.repeat(4000)).length, 100)
    assert.equal(negotiate(`${'a/b,'.repeat(4000)}text/html`), null)
    assert.equal(negotiate(`text/html,${'a/b,'.repeat(4000)}`), 'html')
  })

  test('a header twice as long costs about twice as much, never four times', () => {
    const hostile = ['"', ';', 'a/b;q="\\', ' ', '",;']
    // The quickest of several: what else the machine does takes no part in it.
    const quickest = (header: string) => {
      const times = Array.from({ length: 15 }, () => {
        const started = process.cpuUsage()
        negotiate(`x${header}`)
        const { user, system } = process.cpuUsage(started)
        return user + system
      })
      return Math.min(...times)
    }
    for (const part of hostile) {
      const [once, eightTimes] = [2_000, 16_000].map((length) => quickest(part.repeat(length)))
      // Quadratic would be 64 times; a clock of microseconds says little below one millisecond.
      assert.ok((eightTimes ?? 0) < 1_000 + 32 * (once ?? 0), `${part}: ${once} µs, ${eightTimes} µs`)
    }
  })
})

/** Who gets which face of a 404. Programs that name no type of text keep the problem details. */
const problems: [accept: string | undefined, face: 'json' | 'html' | 'markdown'][] = [
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['application/problem+json, text/html;q=0.5', 'json'],
  ['application/json, text/html', 'json'],
  ['application/json, text/plain, */*', 'json'],
  ['text/html;q=0.5, */*', 'json'],
  ['image/png', 'json'],
  ['text/html;q=0, text/markdown;q=0', 'json'],
  [browser, 'html'],
  ['text/html', 'html'],
  ['text/*', 'html'],
  ['text/html, application/json', 'html'],
  ['text/html, */*', 'html'],
  ['text/markdown', 'markdown'],
  ['text/markdown, text/html, */*', 'markdown'],
  ['text/markdown, text/plain;q=0.9, */*;q=0.8', 'markdown'],
]

describe('the face of a problem', () => {
  for (const [accept, face] of problems) {
    test(`${JSON.stringify(accept) ?? 'absent'} → ${face}`, () => assert.equal(negotiateProblem(accept), face))
  }

  test('404 comes in each of them, never kept, and repeats nothing of the request', async () => {
    await using running = await startBoth()
    const starts = { json: /^\{"type":"about:blank"/, html: /^<!DOCTYPE html>/, markdown: /^# 404 Not Found\n/ }
    const sent = {
      json: 'application/problem+json',
      html: 'text/html; charset=utf-8',
      markdown: 'text/markdown; charset=utf-8',
    }
    for (const [accept, face] of problems) {
      const reply = await ask(`${running.baseUrl}/nope`, { headers: accept === undefined ? {} : { Accept: accept } })
      assert.equal(reply.status, 404)
      assert.equal(reply.headers['content-type'], sent[face], accept)
      assert.match(reply.body, starts[face])
      assert.equal(reply.headers.vary, 'Accept')
      assert.equal(reply.headers['cache-control'], 'no-store')
      assert.doesNotMatch(reply.body, /nope/)
      assert.ok(reply.body.includes(`${running.baseUrl}/llms.txt`))
    }
    const page = await ask(`${running.baseUrl}/nope`, { headers: { Accept: browser } })
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'; style-src 'sha256-/)
    const report = await new HtmlValidate({ extends: ['html-validate:recommended'] }).validateString(page.body)
    assert.deepEqual(report.results, [])
  })
})

describe('GET / as it is served', () => {
  let running: Running
  before(async () => {
    running = await startBoth()
  })
  after(() => running[Symbol.asyncDispose]())

  const rows = [...agreed, ...ours.map(([accept, expected]) => [accept, expected] as const)]
  for (const method of ['GET', 'HEAD']) {
    test(`${method} answers the whole matrix, Vary: Accept always`, async () => {
      for (const [accept, expected] of rows) {
        const headers = accept === undefined ? {} : { Accept: accept }
        const reply = await ask(`${running.baseUrl}/`, { method, headers })
        const says = `${method} ${accept}`
        assert.equal(reply.status, expected === null ? 406 : 200, says)
        const type = expected === null ? 'application/problem+json' : `text/${types[expected]}; charset=utf-8`
        assert.equal(reply.headers['content-type'], type, says)
        assert.equal(reply.headers.vary, expected === null ? 'Accept' : 'Accept, Accept-Encoding', says)
      }
    })
  }

  test('406 is a problem that lists what there is', async () => {
    const { body, headers } = await ask(`${running.baseUrl}/`, { headers: { Accept: 'application/json' } })
    const problem = JSON.parse(body) as Record<string, unknown>
    assert.equal(problem.status, 406)
    assert.deepEqual(problem.available, ['text/html', 'text/markdown'])
    assert.equal(headers['cache-control'], 'no-store')
  })

  test('both faces name every address of the other', async () => {
    const html = await ask(`${running.baseUrl}/`)
    const markdown = await ask(`${running.baseUrl}/`, { headers: { Accept: 'text/markdown' } })
    assert.match(html.body, /^<!DOCTYPE html>/)
    assert.match(markdown.body, /^---\ntitle: "Turnleaf"\ndescription: ".+"\nurl: ".+"\n---\n\n# Turnleaf\n/)
    const plain = await ask(`${running.baseUrl}/`, { headers: { Accept: 'text/plain' } })
    assert.equal(plain.body, markdown.body)
    assert.equal(plain.headers['content-location'], '/index.md')
    assert.notEqual(plain.headers.etag, markdown.headers.etag)
    assert.doesNotMatch(markdown.body, /<(html|div|p)\b/)
    for (const path of ['/.well-known/api-catalog', '/openapi.json', '/llms.txt']) {
      assert.ok(html.body.includes(path), `HTML names ${path}`)
      assert.ok(markdown.body.includes(path), `markdown names ${path}`)
    }
    const twin = await ask(`${running.baseUrl}/index.md`)
    assert.equal(twin.body, markdown.body)
    assert.equal(twin.headers['content-type'], markdown.headers['content-type'])
    assert.equal(markdown.headers['content-location'], '/index.md')
  })
})
