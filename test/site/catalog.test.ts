import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import LinkHeader from 'http-link-header'
import { type Running, ask, startBoth } from './running.ts'

type Target = { href: string; type?: string }
type Context = { anchor: string } & Record<string, Target[]>

let running: Running
before(async () => {
  running = await startBoth()
})
after(() => running[Symbol.asyncDispose]())

const linksOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  LinkHeader.parse(String((await ask(running.baseUrl + path, { headers, method })).headers.link))

/** The media type alone: parameters do not count when types are compared. */
const essence = (type: string | undefined) => String(type).split(';')[0]

async function assertResolves({ href, type }: Target): Promise<void> {
  assert.ok(href.startsWith(`${running.baseUrl}/`) || href.startsWith(`${running.apiUrl}/`), `${href} is ours`)
  const reply = await ask(href)
  assert.equal(reply.status, href.endsWith('/api/x402') ? 402 : 200, href)
  if (type !== undefined) assert.equal(essence(reply.headers['content-type']), type, href)
}

describe('the API catalog', () => {
  const catalog = async () =>
    JSON.parse((await ask(`${running.baseUrl}/.well-known/api-catalog`)).body) as { linkset: Context[] }

  test('is a linkset and nothing else: RFC 9264 §4.2', async () => {
    const document = await catalog()
    assert.deepEqual(Object.keys(document), ['linkset'])
    assert.ok(document.linkset.length > 0)
    for (const { anchor, ...relations } of document.linkset) {
      assert.match(anchor, /^https?:\/\//)
      assert.ok(Object.keys(relations).length > 0)
      for (const [relation, targets] of Object.entries(relations)) {
        assert.ok(['item', 'service-desc', 'service-doc', 'service-meta', 'status'].includes(relation), relation)
        assert.ok(Array.isArray(targets) && targets.length > 0)
        for (const target of targets) {
          assert.equal(new URL(target.href).href, target.href)
          assert.ok(Object.keys(target).every((key) => key === 'href' || key === 'type'))
          if (target.type !== undefined) assert.match(target.type, /^[\w.+-]+\/[\w.+-]+$/)
        }
      }
    }
  })

  test('names the API as an item, with description, documentation and status', async () => {
    const { linkset } = await catalog()
    const [itself, api] = linkset
    assert.equal(itself?.anchor, `${running.baseUrl}/.well-known/api-catalog`)
    assert.ok(itself?.item?.some(({ href }) => href === `${running.apiUrl}/`))
    assert.equal(api?.anchor, `${running.apiUrl}/`)
    assert.deepEqual(Object.keys(api ?? {}), ['anchor', 'service-desc', 'service-doc', 'status'])
  })

  test('every link in it resolves with the type it promises', async () => {
    for (const { anchor: _anchor, ...relations } of (await catalog()).linkset) {
      for (const target of Object.values(relations).flat()) await assertResolves(target)
    }
  })

  test('is sent whatever Accept says', async () => {
    for (const accept of ['application/linkset+json, application/json', 'application/json', '*/*', '', 'text/html']) {
      const reply = await ask(`${running.baseUrl}/.well-known/api-catalog`, { headers: { Accept: accept } })
      assert.equal(reply.status, 200, accept)
      assert.equal(essence(reply.headers['content-type']), 'application/linkset+json')
    }
  })

  test('HEAD carries the Link header: RFC 9727 §2', async () => {
    for (const method of ['GET', 'HEAD']) {
      const links = await linksOf('/.well-known/api-catalog', {}, method)
      assert.equal(links.rel('api-catalog')[0]?.uri, `${running.baseUrl}/.well-known/api-catalog`)
      assert.ok(links.rel('item').some(({ uri }) => uri === `${running.apiUrl}/`))
    }
  })

  test('the one at the API leads here', async () => {
    const reply = await ask(`${running.apiUrl}/.well-known/api-catalog`)
    assert.equal(reply.status, 308)
    assert.equal(reply.headers.location, `${running.baseUrl}/.well-known/api-catalog`)
    assert.equal((await fetch(`${running.apiUrl}/.well-known/api-catalog`)).status, 200)
  })
})

describe('the Link header of the homepage', () => {
  test('names catalog, description, documentation and markdown; all resolve', async () => {
    const { refs } = await linksOf('/')
    assert.deepEqual(
      refs.map(({ rel, uri, type }) => [rel, uri, type]),
      [
        ['api-catalog', `${running.baseUrl}/.well-known/api-catalog`, 'application/linkset+json'],
        ['service-desc', `${running.baseUrl}/openapi.json`, 'application/json'],
        ['service-doc', `${running.baseUrl}/docs`, 'text/html'],
        ['service-doc', `${running.baseUrl}/llms.txt`, 'text/plain'],
        ['alternate', `${running.baseUrl}/index.md`, 'text/markdown'],
      ],
    )
    for (const { uri, type } of refs) await assertResolves({ href: uri, ...(type !== undefined && { type }) })
  })

  test('of the markdown names the canonical page too', async () => {
    for (const links of [await linksOf('/', { Accept: 'text/markdown' }), await linksOf('/index.md')]) {
      assert.equal(links.rel('canonical')[0]?.uri, `${running.baseUrl}/`)
      assert.equal(links.refs.length, 6)
    }
  })

  test('stays under 1 KB', async () => {
    const { headers } = await ask(`${running.baseUrl}/`)
    assert.ok(String(headers.link).length < 1024)
  })
})

describe('every address of ours in the other documents', () => {
  for (const path of ['/llms.txt', '/index.md', '/', '/robots.txt', '/sitemap.xml', '/.well-known/security.txt']) {
    test(`${path}: resolves`, async () => {
      const { body } = await ask(running.baseUrl + path)
      const found = body.match(/https?:\/\/127\.0\.0\.1:\d+\/?[^\s"'<>\])`,]*/g) ?? []
      const addresses = new Set(found.map((url) => url.replace(/[.;]$/, '')))
      const own = [...addresses].filter((url) => url.startsWith(running.baseUrl) || url.startsWith(running.apiUrl))
      assert.ok(own.length > 0)
      for (const url of own) await assertResolves({ href: new URL(url).href.replace(/#.*$/, '') })
    })
  }
})
