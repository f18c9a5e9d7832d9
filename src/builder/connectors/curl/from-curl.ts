/** A pasted cURL command → a connector: name, manifest, the secrets apart from it, and what to know about it. */
import { manifestText } from '../../../from-request/manifest-text.ts'
import { nameFromAddress } from '../connector-names.ts'
import { splitPath, streamName } from '../../../from-request/address.ts'
import { keptHeaders } from '../../../from-request/given-request.ts'
import { isLikelyPagingName } from '../../../proof/names/paging-names.ts'
import { readCurl } from './read-curl.ts'
import { authenticatorOf, bodyField } from '../../../from-request/request-components.ts'
import { takeSecrets } from '../../../from-request/take-secrets.ts'

export type CurlConnector = {
  readonly name: string
  readonly text: string
  /** Values of the secret inputs: for the memory of this tab, never for the text. */
  readonly values: Readonly<Record<string, string>>
  readonly method: string
  readonly baseUrl: string
  readonly path: string
  readonly inputs: readonly string[]
  readonly notes: readonly string[]
}

export type FromCurl =
  | { readonly connector: CurlConnector; readonly problem: null }
  | { readonly connector: null; readonly problem: string }

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

export function fromCurl(command: string): FromCurl {
  const { request, problem } = readCurl(command)
  if (problem !== null) return { connector: null, problem }
  const hasTypedBody = request.body !== null && request.body.kind !== 'text'
  const open = takeSecrets({ ...request, headers: keptHeaders(request.headers, hasTypedBody) })
  const { base, rest } = splitPath(open.path === '' ? '/' : open.path)
  const paging = open.query.map(([name]) => name).filter(isLikelyPagingName)
  const isKnownMethod = methods.has(open.method)
  const method = isKnownMethod ? open.method : 'GET'
  const baseUrl = open.origin + base
  return {
    problem: null,
    connector: {
      name: nameFromAddress(open.origin),
      text: manifestText({
        baseUrl,
        authenticator: authenticatorOf(open.authentication),
        stream: {
          name: streamName(rest),
          path: rest,
          method,
          query: open.query,
          headers: open.headers,
          body: bodyField(open.body),
        },
        inputs: open.inputs,
      }),
      values: open.values,
      method,
      baseUrl,
      path: rest,
      inputs: open.inputs.map(({ name }) => name),
      notes: [
        ...open.notes,
        ...(paging.length === 0 ? [] : [`${listed(paging)} may set the page: Detect pagination replaces it.`]),
        ...(isKnownMethod ? [] : [`The method ${open.method} was replaced by GET.`]),
      ],
    },
  }
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].map((name) => name.replaceAll(/[\r\n]/g, ' ')).join(', ')
}
