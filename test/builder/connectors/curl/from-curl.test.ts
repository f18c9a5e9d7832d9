import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { fromCurl } from '../../../../src/builder/connectors/curl/from-curl.ts'
import { loadManifest } from '../../../../src/index.ts'

function connectorOf(command: string) {
  const { connector, problem } = fromCurl(command)
  assert.equal(problem, null)
  assert.ok(connector)
  loadManifest(connector.text)
  const manifest = parse(connector.text) as Manifest
  const { requester } = manifest.streams[0]?.retriever ?? assert.fail('no stream')
  return { ...connector, manifest, requester, shared: manifest.definitions.requester }
}

type Manifest = {
  definitions: { requester: Record<string, unknown> }
  streams: { name: string; retriever: { requester: Record<string, unknown> } }[]
  spec: { connection_specification: { required?: string[]; properties: Record<string, { airbyte_secret?: boolean }> } }
}

describe('a connector from a cURL command', () => {
  test('has base URL, path, query and headers of the request, and a name from its host', () => {
    const { name, manifest, requester, shared } = connectorOf(
      `curl 'https://api.eu.shop.example/v2/orders?status=open&expand=items' -H 'X-Tenant: 5' -H 'Accept: application/json'`,
    )
    assert.equal(name, 'shop')
    assert.equal(shared.url_base, 'https://api.eu.shop.example/v2')
    assert.equal(manifest.streams[0]?.name, 'orders')
    assert.equal(requester.path, '/orders')
    assert.equal(requester.http_method, 'GET')
    assert.deepEqual(requester.request_parameters, { status: 'open', expand: 'items' })
    assert.deepEqual(requester.request_headers, { 'X-Tenant': '5', Accept: 'application/json' })
  })

  test('leaves out what a browser adds to every request', () => {
    const { requester } = connectorOf(
      `curl 'https://a.example/x' -H 'sec-ch-ua: "x"' -H 'accept: */*' -H 'User-Agent: Mozilla/5.0' -H 'Referer: https://a.example' --compressed`,
    )
    assert.equal(requester.request_headers, undefined)
  })

  test('a bearer token becomes an input and an authenticator', () => {
    const { shared, values, manifest } = connectorOf(`curl https://a.example/x -H "Authorization: Bearer s3cret-Value"`)
    assert.deepEqual(shared.authenticator, { type: 'BearerAuthenticator', api_token: "{{ config['api_token'] }}" })
    assert.deepEqual(values, { api_token: 's3cret-Value' })
    assert.equal(manifest.spec.connection_specification.properties.api_token?.airbyte_secret, true)
    assert.deepEqual(manifest.spec.connection_specification.required, ['api_token'])
  })

  test('-u and a Basic header are the same', () => {
    const basic = Buffer.from('ann:pa:ss').toString('base64')
    for (const how of [`-u ann:pa:ss`, `-H 'Authorization: Basic ${basic}'`]) {
      const { shared, values } = connectorOf(`curl https://a.example/x ${how}`)
      assert.deepEqual(shared.authenticator, {
        type: 'BasicHttpAuthenticator',
        username: "{{ config['username'] }}",
        password: "{{ config['password'] }}",
      })
      assert.deepEqual(values, { username: 'ann', password: 'pa:ss' })
    }
  })

  test('next to an Authorization header -u is left out, as curl does', () => {
    const { shared, text, values } = connectorOf(
      `curl -u ann:spare https://a.example/x -H 'Authorization: Bearer tok_1234567890'`,
    )
    assert.equal((shared.authenticator as { type: string }).type, 'BearerAuthenticator')
    assert.deepEqual(Object.values(values), ['tok_1234567890'])
    assert.doesNotMatch(text, /spare|ann|tok_/)
  })

  test('a scheme of its own stays before the secret', () => {
    const { shared } = connectorOf(`curl https://a.example/x -H 'Authorization: Token abc'`)
    assert.deepEqual(shared.authenticator, {
      type: 'ApiKeyAuthenticator',
      api_token: "Token {{ config['api_key'] }}",
      inject_into: { type: 'RequestOption', inject_into: 'header', field_name: 'Authorization' },
    })
  })

  test('a key in the query is signed with there', () => {
    const { shared, requester } = connectorOf(`curl 'https://a.example/x?api_key=abc&page_token=t1'`)
    assert.deepEqual(shared.authenticator, {
      type: 'ApiKeyAuthenticator',
      api_token: "{{ config['api_key'] }}",
      inject_into: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'api_key' },
    })
    assert.deepEqual(requester.request_parameters, { page_token: 't1' })
  })

  test('what looks like paging is kept, and said', () => {
    const { notes, requester } = connectorOf(`curl 'https://a.example/x?page=1&per_page=50'`)
    assert.deepEqual(requester.request_parameters, { page: '1', per_page: '50' })
    assert.match(notes.join(), /page, per_page may set the page/)
  })

  test('JSON, forms and text are sent as what they are', () => {
    const { requester } = connectorOf(
      `curl https://a.example/search --json '{"q":{"id":12345678901234567890},"n":2.0}'`,
    )
    assert.equal(requester.http_method, 'POST')
    assert.match(connectorOf(`curl https://a.example/s -d '{"id":12345678901234567890}'`).text, /12345678901234567890/)
    const form = connectorOf(`curl https://a.example/s -d a=1 --data-urlencode 'b=x y&z'`)
    assert.deepEqual(form.requester.request_body_data, { a: '1', b: 'x y&z' })
    const text = connectorOf(`curl https://a.example/s -H 'Content-Type: text/plain' --data-raw 'select 1'`)
    assert.equal(text.requester.request_body_data, 'select 1')
    assert.deepEqual(text.requester.request_headers, { 'Content-Type': 'text/plain' })
  })

  test('-G moves the data into the query', () => {
    const { requester } = connectorOf(`curl -G https://a.example/s -d a=1 --data-urlencode 'b=x y'`)
    assert.equal(requester.http_method, 'GET')
    assert.deepEqual(requester.request_parameters, { a: '1', b: 'x y' })
  })

  test('flags in one word, a method without a space, options that mean nothing here', () => {
    const { requester } = connectorOf(`curl -sSLXDELETE --max-time 5 -o out.json https://a.example/x`)
    assert.equal(requester.http_method, 'DELETE')
  })

  test('braces of the API stay braces', () => {
    const { text } = connectorOf(`curl 'https://a.example/x?filter=%7B%7B1%7D%7D'`)
    assert.match(text, /filter: "\{\{ '\{\{' \}\}1\}\}"/)
  })

  test('a placeholder of some documentation is no value', () => {
    for (const word of ['$TOKEN', '${API_TOKEN}', '<your token>', 'YOUR_TOKEN']) {
      const { values, inputs } = connectorOf(`curl https://a.example/x -H "Authorization: Bearer ${word}"`)
      assert.deepEqual(values, {})
      assert.deepEqual(inputs, ['api_token'])
    }
  })

  test('without a scheme it is HTTPS; a port and an IPv6 address stay', () => {
    assert.equal(connectorOf('curl a.example/x').baseUrl, 'https://a.example')
    assert.equal(connectorOf('curl http://[::1]:8082/offset').baseUrl, 'http://[::1]:8082')
  })

  for (const [command, problem] of [
    ['wget https://a.example', /not a cURL/],
    ['curl -s', /no URL/],
    ['curl ftp://a.example/x', /not an http or https URL/],
    ["curl 'https://a.example", /not closed/],
    ['', /not a cURL/],
    ['curl https://', /not an http or https URL/],
  ] as const) {
    test(`is refused with a reason: ${command}`, () => assert.match(String(fromCurl(command).problem), problem))
  }
})

describe('a secret anywhere in the command is in no text that is kept', () => {
  const places: Record<string, (secret: string) => string> = {
    'a bearer token': (s) => `curl https://a.example/v1/x -H 'Authorization: Bearer ${s}'`,
    'a bare Authorization': (s) => `curl https://a.example/v1/x -H 'authorization: ${s}'`,
    'a header of its own': (s) => `curl https://a.example/v1/x -H 'X-Api-Key: ${s}'`,
    'two headers': (s) => `curl https://a.example/v1/x -H 'X-Api-Key: ${s}' -H 'X-Auth-Token: ${s}2'`,
    'next to paging words': (s) => `curl https://a.example/v1/x -H 'x-next-auth-token: ${s}'`,
    'a cookie': (s) => `curl https://a.example/v1/x -b 'session=${s}'`,
    'a cookie header': (s) => `curl https://a.example/v1/x -H 'Cookie: sid=${s}'`,
    'a user': (s) => `curl -u '${s}:' https://a.example/v1/x`,
    'a password': (s) => `curl -u 'ann:${s}' https://a.example/v1/x`,
    'the address': (s) => `curl 'https://ann:${s}@a.example/v1/x'`,
    'the query': (s) => `curl 'https://a.example/v1/x?access_token=${s}&a=1'`,
    'the query, with another secret': (s) => `curl 'https://a.example/v1/x?apiKey=${s}' -H 'Authorization: Bearer b'`,
    'the data of -G': (s) => `curl -G https://a.example/v1/x -d client_secret=${s}`,
    'a form': (s) => `curl https://a.example/v1/x -d 'password=${s}&a=1'`,
    'deep in JSON': (s) => `curl https://a.example/v1/x --json '{"auth":{"api_key":"${s}"},"list":[{"token":"${s}"}]}'`,
    '--oauth2-bearer': (s) => `curl https://a.example/v1/x --oauth2-bearer ${s}`,
  }
  const secrets = ['k3y', 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4', 'Zz-9_x.Y', 'sk_live_51Habc']
  for (const [place, command] of Object.entries(places)) {
    test(place, () => {
      for (const secret of secrets) {
        const { text, notes, inputs, values } = connectorOf(command(secret))
        const base64 = Buffer.from(`ann:${secret}`).toString('base64')
        for (const kept of [text, notes.join(), inputs.join()]) {
          assert.ok(!kept.includes(secret), kept)
          assert.ok(!kept.includes(base64), kept)
        }
        assert.ok(Object.values(values).some((value) => value.includes(secret)))
      }
    })
  }

  test('a key as a part of the path', () => {
    const secret = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
    const { text, values } = connectorOf(`curl https://api.telegram.example/bot${secret}/getUpdates`)
    assert.ok(!text.includes(secret))
    assert.deepEqual(values, { path_key: `bot${secret}` })
  })
})
