/** The built web app → responses: the page for every address of the app, and its files. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Hono } from 'hono'
import { neededFiles } from './built-files.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** No scripts, files or connections from elsewhere. Styles set by script do not count as inline styles. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageFields = {
  'Content-Type': types['.html'] as string,
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

/** A script of ours that runs as a thread takes its policy from its own response. */
const threadPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'"

const editorSource = 'editor/editor-page.tsx'

/** The addresses that the app itself understands. */
export const pagePaths = ['/', '/connectors/:name']

/** Links of the builder to the docs: `/docs/pagination` is a page of the public site. */
export function leadToDocs(app: Hono, baseUrl: string): void {
  const lead = (path: string) => new Response(null, { status: 302, headers: { Location: `${baseUrl}${path}` } })
  app.get('/docs', () => lead('/docs'))
  app.get('/docs/:page{[a-z][a-z-]*}', (context) => lead(`/docs/${context.req.param('page')}`))
  app.get('/docs/decisions/:page{[0-9a-z-]+}', (context) => lead(`/docs/decisions/${context.req.param('page')}`))
}

export function servePages(app: Hono, folder: string): void {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  // The page names what the list of connectors needs; the editor is a part of its own, requested at once with this.
  const links = neededFiles(folder, editorSource).map((file) => `</${file}>; rel=modulepreload`)
  const editorFields = { ...pageFields, Link: links.join(', ') }
  for (const path of pagePaths) {
    const headers = path === '/' ? pageFields : editorFields
    app.get(path, () => new Response(page, { headers }))
  }
  // A person who mistyped an address gets a page that says so; a program gets the problem as JSON.
  app.get('*', async (context, next) => {
    const isPerson = context.req.header('accept')?.includes('text/html') === true
    if (!isPerson || /^\/(v1|assets)\//.test(context.req.path)) return next()
    return new Response(page, { status: 404, headers: pageFields })
  })
  for (const file of readdirSync(join(folder, 'assets'))) {
    const bytes = readFileSync(join(folder, 'assets', file))
    const type = types[extname(file)] ?? 'application/octet-stream'
    // Their names change with their content.
    const headers = {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(extname(file) === '.js' && { 'Content-Security-Policy': threadPolicy }),
    }
    // Compressed on the first request, so that the server starts fast.
    let packed: Buffer<ArrayBuffer> | undefined
    app.get(`/assets/${file}`, (context) => {
      const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(context.req.header('accept-encoding') ?? '')
      if (!takesGzip) return new Response(bytes, { headers })
      packed ??= gzipSync(bytes)
      return new Response(packed, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
    })
  }
}
