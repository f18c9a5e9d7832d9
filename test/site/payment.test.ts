import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  discoverOriginSchema,
  getL3,
  getOpenAPI,
  getProbe,
  getWarningsFor402Body,
  getWarningsForFavicon,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
  validatePaymentRequiredDetailed,
} from '@agentcash/discovery'
import { decodePaymentRequiredHeader, x402HTTPClient } from '@x402/core/http'
import { parsePaymentRequired } from '@x402/core/schemas'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { validate } from 'mppx/discovery'
import { type Running, ask, startBoth } from './running.ts'

let running: Running
before(async () => {
  running = await startBoth()
})
after(() => running[Symbol.asyncDispose]())

const probeUrl = () => `${running.baseUrl}/api/x402`

describe('the payment probe', () => {
  test('says the same in header and body', async () => {
    const { headers, body } = await ask(probeUrl())
    const header = String(headers['payment-required'])
    assert.match(header, /^[A-Za-z0-9+/]+={0,2}$/)
    assert.ok(header.length < 8192)
    assert.equal(Buffer.from(header, 'base64').toString(), body)
    const { x402Version, accepts, resource } = JSON.parse(body) as {
      x402Version: number
      accepts: object[]
      resource: { url: string }
    }
    assert.equal(x402Version, 2)
    assert.equal(resource.url, probeUrl())
    assert.deepEqual(accepts, [
      {
        scheme: 'exact',
        network: 'card:usd',
        amount: '0',
        asset: 'USD',
        payTo: 'merchant',
        maxTimeoutSeconds: 60,
        extra: {},
      },
    ])
  })

  test('answers 402 whatever is sent, and acknowledges no payment', async () => {
    const signature = Buffer.from(JSON.stringify({ x402Version: 2, payload: { signature: '0x00' } })).toString('base64')
    const plain = await ask(probeUrl())
    const attempts: Parameters<typeof ask>[1][] = [
      { headers: { 'PAYMENT-SIGNATURE': signature } },
      { headers: { 'PAYMENT-SIGNATURE': '%%% not base64' } },
      { headers: { 'X-PAYMENT': signature } },
      { headers: { Authorization: 'Payment id="1"' } },
      { headers: { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' } },
      { headers: { Accept: 'image/png;q=0' } },
      { headers: { 'If-None-Match': '*', Range: 'bytes=0-1' } },
      { headers: { 'Content-Type': 'application/json' }, body: '{"pay":true}' },
      { method: 'HEAD', headers: { 'PAYMENT-SIGNATURE': signature } },
    ]
    for (const attempt of attempts) {
      const reply = await ask(probeUrl(), attempt)
      assert.equal(reply.status, 402)
      assert.deepEqual({ ...reply.headers, date: '' }, { ...plain.headers, date: '' })
      if (attempt?.method !== 'HEAD') assert.equal(reply.body, plain.body)
      for (const never of ['payment-response', 'x-payment-response', 'payment-receipt', 'www-authenticate']) {
        assert.equal(reply.headers[never], undefined)
      }
    }
    assert.equal((await ask(`${probeUrl()}?x=${'y'.repeat(10_000)}`)).status, 402)
  })
})

describe('@x402/core', () => {
  test('decodes and accepts the header', async () => {
    const { headers, body } = await ask(probeUrl())
    const decoded = decodePaymentRequiredHeader(String(headers['payment-required']))
    assert.deepEqual(decoded, JSON.parse(body))
    assert.equal(parsePaymentRequired(decoded).success, true)
  })

  test('sees a payment required', async () => {
    const { paymentStatus } = await new x402HTTPClient(new x402Client()).processResponse(await fetch(probeUrl()))
    assert.equal(paymentStatus, 'payment_required')
  })
})

describe('@x402/fetch', () => {
  test('with a wallet at hand understands the offer, refuses to pay and signs nothing', async () => {
    let signatures = 0
    const client = new x402Client().register('eip155:*', {
      scheme: 'exact',
      createPaymentPayload: () => {
        signatures++
        throw new Error('signed')
      },
    })
    const asked: string[] = []
    const watched: typeof fetch = (input, init) => {
      asked.push(input instanceof Request ? input.url : String(input))
      return fetch(input, init)
    }
    await assert.rejects(wrapFetchWithPayment(watched, client)(probeUrl()), /No network\/scheme registered/)
    assert.equal(signatures, 0)
    assert.deepEqual(asked, [probeUrl()])
  })
})

describe('@agentcash/discovery', () => {
  test('finds the three operations, one of them priced at zero', async () => {
    const found = await discoverOriginSchema({ target: running.baseUrl })
    assert.ok(found.found)
    assert.deepEqual(
      found.endpoints.map(({ method, path, authMode, price }) => [method, path, authMode, price]),
      [
        ['GET', '/', 'unprotected', undefined],
        ['GET', '/.well-known/api-catalog', 'unprotected', undefined],
        ['GET', '/api/x402', 'paid', '0.000000 USD'],
      ],
    )
  })

  test('probes the endpoint and reads its terms', async () => {
    const checked = await checkEndpointSchema({ url: probeUrl(), probe: true })
    assert.ok(checked.found)
    const paid = checked.advisories.filter(({ authMode }) => authMode === 'paid')
    assert.deepEqual(
      paid.map(({ method }) => method),
      ['GET', 'HEAD'],
    )
  })

  test('has one remark: the four fields of x-payment-info are the older form', async () => {
    const openApi = (await getOpenAPI(running.baseUrl))._unsafeUnwrap()
    assert.ok(openApi !== null && !isOpenApiParseFailure(openApi))
    const probe = (await getProbe(probeUrl()))._unsafeUnwrap()
    const body: unknown = JSON.parse((await ask(probeUrl())).body)
    const remarks = [
      ...getWarningsForOpenAPI(openApi),
      ...getWarningsForL2(checkL2ForOpenAPI(openApi)),
      ...getWarningsForL3(getL3(openApi, probe, '/api/x402', 'GET')),
      ...getWarningsForL4(checkL4ForOpenAPI(openApi)),
      ...getWarningsFor402Body(body),
      ...(await getWarningsForFavicon(running.baseUrl))._unsafeUnwrap(),
    ]
    assert.deepEqual(
      remarks.map(({ code, severity }) => [code, severity]),
      [['L2_PAYMENT_INFO_LEGACY', 'info']],
    )
    assert.deepEqual(validatePaymentRequiredDetailed(body).issues, [])
  })
})

describe('mppx/discovery', () => {
  test('has nothing to say about the description', async () => {
    assert.deepEqual(validate(JSON.parse((await ask(`${running.baseUrl}/openapi.json`)).body)), [])
  })
})
