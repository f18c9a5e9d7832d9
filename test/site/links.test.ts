/** A link checker over the whole site, docs included: every page that can be reached, every address in it, every anchor. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Reply, type Running, ask, startBoth } from './running.ts'

let running: Running
before(async () => {
  running = await startBoth()
})
after(() => running[Symbol.asyncDispose]())

const replies = new Map<string, Promise<Reply>>()

function get(url: string): Promise<Reply> {
  const known = replies.get(url) ?? ask(url, { headers: { Accept: 'text/html, */*;q=0.5' } })
  replies.set(url, known)
  return known
}

/** Where a page leads: of HTML its attributes, of markdown its links, of text and XML whatever is an address. */
function linksIn({ headers, body }: Reply, at: string): string[] {
  const type = String(headers['content-type'])
  const unescape = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
  if (type.startsWith('text/html')) {
    const found = [...body.matchAll(/\s(?:href|src|srcset)="([^"]+)"/g)].map(([, href = '']) => unescape(href))
    const shared = [...body.matchAll(/<meta property="og:(?:url|image)" content="([^"]+)"/g)].map(([, url = '']) => url)
    return [...found, ...shared].map((href) => new URL(href, at).href)
  }
  if (type.startsWith('text/markdown') || at.endsWith('/llms.txt') || at.endsWith('/llms-full.txt')) {
    const text = body.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '')
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => new URL(href, at).href)
  }
  if (type.startsWith('application/xml')) return [...body.matchAll(/<loc>([^<]+)</g)].map(([, url = '']) => url)
  return []
}

const anchorsOf = (body: string) => new Set([...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))

test('no link of the site is broken', async () => {
  const broken: string[] = []
  const seen = new Set<string>()
  const anchors: { url: string; anchor: string; from: string }[] = []
  const queue = ['/', '/index.md', '/llms.txt', '/llms-full.txt', '/sitemap.xml', '/docs'].map((path) => ({
    url: running.baseUrl + path,
    from: 'start',
  }))
  const outside = new Set<string>()
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [url = '', anchor = ''] = next.url.split('#')
    if (!url.startsWith(running.baseUrl) && !url.startsWith(running.apiUrl)) {
      outside.add(new URL(url).host)
      continue
    }
    if (anchor !== '') anchors.push({ url, anchor, from: next.from })
    if (seen.has(url)) continue
    seen.add(url)
    const reply = await get(url)
    if (reply.status !== 200) broken.push(`${reply.status} ${url} from ${next.from}`)
    if (url.startsWith(running.apiUrl)) continue
    for (const link of linksIn(reply, url)) queue.push({ url: link, from: url })
  }
  for (const { url, anchor, from } of anchors) {
    // Markdown has no anchors of its own; those of its page count.
    const page = await get(url.replace(/\/index\.md$/, '').replace(/\.md$/, ''))
    if (String(page.headers['content-type']).startsWith('text/html') && !anchorsOf(page.body).has(anchor))
      broken.push(`#${anchor} is not on ${url}, from ${from}`)
  }
  assert.deepEqual([...new Set(broken)], [])
  assert.ok(seen.size > 80, `${seen.size} addresses`)
  assert.ok(anchors.length > 200, `${anchors.length} anchors`)
  assert.deepEqual(outside, new Set(['github.com', 'no-color.org', 'modelcontextprotocol.io']))
})
