/** A child process that serves the site, or the same bytes from a bare server; prints its address, ends with its parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readSiteFiles } from '../src/site/docs/read-docs.ts'
import { listen } from '../src/site/listen.ts'
import { createSite, siteListener } from '../src/site/site.ts'

const [, , kind, path = '/'] = process.argv
const facts = { baseUrl: 'http://127.0.0.1:8080', apiUrl: 'http://127.0.0.1:8081', version: '0.1.0' }
const files = readSiteFiles('.')

async function serveSite(): Promise<string> {
  const listening = await listen({})
  listening.serve(siteListener(createSite(facts, files)))
  return listening.url
}

function serveBytes(): Promise<string> {
  const { status, headers, body } = createSite(facts, files)({ method: 'GET', target: path })
  const server = createServer((_request, response) => void response.writeHead(status, headers).end(body))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

console.log(await (kind === 'site' ? serveSite() : serveBytes()))
process.on('disconnect', () => process.exit())
