/** Faults of the response: its type, its end, its speed, and where its links lead. */
import { type Fault, faultyPage } from './fault.ts'

const hasPages: Fault['suits'] = (traits) => traits.includes('pages')

const errorPage = `<!doctype html>
<html lang="en"><title>Please wait</title><h1>We are back in a moment</h1></html>
`

export const responseFaults: readonly Fault[] = [
  {
    name: 'html',
    says: 'answers page 3 with an HTML page and status 200',
    survive: 'Stop with an error; a response that is not JSON is not an empty page.',
    suits: hasPages,
    hooks: () => ({
      respond(response, page) {
        if (page !== faultyPage) return response
        const headers = { ...response.headers, 'Content-Type': 'text/html; charset=utf-8' }
        return { ...response, headers, body: errorPage }
      },
    }),
  },
  {
    name: 'truncated',
    says: 'cuts the JSON of page 3 in the middle, with the right Content-Length',
    survive: 'Stop with an error; half a response is not a short page.',
    suits: hasPages,
    hooks: () => ({
      respond: (response, page) =>
        page === faultyPage ? { ...response, body: response.body.slice(0, response.body.length / 2) } : response,
    }),
  },
  {
    name: 'slow-body',
    says: 'sends its responses in pieces, `pace` milliseconds apart',
    survive: 'Wait while data arrives, up to a limit.',
    parameters: { pace: 20 },
    suits: () => true,
    hooks: ({ pace = 20 }) => ({ respond: (response) => ({ ...response, paceMs: Math.min(pace, slowestPaceMs) }) }),
  },
  {
    name: 'foreign-link',
    says: 'names next pages under another host name of the same machine',
    survive: 'Follow the link without the credentials, which belong to the first host.',
    suits: (traits) => traits.includes('link'),
    hooks: () => ({ origin: otherNameOf }),
  },
]

const slowestPaceMs = 1000

/** `localhost` for any other name, and the other way round. */
function otherNameOf(origin: string): string {
  const url = new URL(origin)
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return url.origin
}
