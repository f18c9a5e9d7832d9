/** docs/pagination.md: each example reads every record of the lab, with the requests that the page shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { answerLab } from '../src/lab/answer.ts'
import { loadManifest, readPages } from '../src/index.ts'
import { page } from './helpers/docs.ts'
import { sourceOf, streamOf } from './helpers/manifests.ts'
import { serveApi } from './helpers/serve-api.ts'

type Parts = {
  paginator: Record<string, unknown>
  requester?: Record<string, unknown>
  record_selector?: Record<string, unknown>
}

const blocks = page('pagination').matchAll(/^```yaml\n# (GET|POST) (\/\S+)\n(.*?)^```\n\n```\n(.*?)^```$/gms)
const examples = [...blocks].map(([, method = '', path = '', yaml = '', asks = '']) => ({ method, path, yaml, asks }))

test('docs/pagination.md has an example for each method and placement', () => {
  assert.equal(examples.length, page('pagination').match(/^```yaml$/gm)?.length, 'an example shows no requests')
  assert.deepEqual(
    examples.map(({ path }) => path),
    [
      '/offset',
      '/page',
      '/page0',
      '/cursor',
      '/cursor-header',
      '/next-url',
      '/odata',
      '/link',
      '/after',
      '/after',
      '/offset',
      '/page',
      '/search',
      '/search',
      '/graphql',
      '/range',
      '/path',
    ],
  )
})

for (const [index, { method, path, yaml, asks }] of examples.entries()) {
  test(`docs/pagination.md: example ${index + 1}, ${method} ${path}, sends what it shows and reads every record once`, async () => {
    await using api = await serveApi({
      '*': (_query, asked) => {
        const named = Object.entries(asked.headers).map(([name, value]) => [name, String(value)])
        const { status, headers, body } = answerLab({ ...asked, headers: Object.fromEntries(named) })
        return { status, headers, text: body }
      },
    })
    const {
      requester,
      record_selector: selector,
      ...retriever
    } = load(yaml.replace('http://127.0.0.1:8082', api.url)) as Parts
    const stream = streamOf({
      url: api.url,
      requester: { path, ...requester },
      retriever: { ...retriever, ...(selector && { record_selector: selector }) },
    })

    const ids = new Set<unknown>()
    let received = 0
    for await (const { records } of readPages(loadManifest(sourceOf([stream])))) {
      received += records.length
      for (const { id } of records) ids.add(id)
    }

    assert.deepEqual({ ids: ids.size, received }, { ids: 250, received: 250 })
    assert.equal(api.requests.map(sayAsked).join('\n'), asks.trimEnd())
  })
}

/** As the page writes it: what only the API can know is an ellipsis. */
function sayAsked({
  method,
  path,
  query,
  body,
}: {
  method: string
  path: string
  query: URLSearchParams
  body: string
}) {
  const address = query.size === 0 ? path : `${path}?${query.toString()}`
  const sent = body === '' ? '' : ` ${body.replace(/"(query|cursor|after)": "[^"]*"/g, '"$1": "…"')}`
  return `${method} ${address.replace(/cursor=[\w%-]+/g, 'cursor=…')}${sent}`
}
