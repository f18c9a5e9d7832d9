/** Parts of a request → the components of a manifest that send the same. */
import type { GivenBody } from './given-request.ts'
import type { FoundCredential } from './take-secrets.ts'

export function authenticatorOf(authentication: FoundCredential | null): Record<string, unknown> | null {
  switch (authentication?.kind) {
    case undefined:
      return null
    case 'bearer':
      return { type: 'BearerAuthenticator', api_token: authentication.token }
    case 'basic': {
      const { username, password } = authentication
      return { type: 'BasicHttpAuthenticator', username, ...(password !== '' && { password }) }
    }
    case 'key': {
      const { into, field, token } = authentication
      return {
        type: 'ApiKeyAuthenticator',
        api_token: token,
        inject_into: { type: 'RequestOption', inject_into: into, field_name: field },
      }
    }
  }
}

export function bodyField(body: GivenBody | null) {
  switch (body?.kind) {
    case undefined:
      return null
    case 'json':
      return { key: 'request_body_json', value: body.value } as const
    case 'form':
      return { key: 'request_body_data', value: Object.fromEntries(body.pairs) } as const
    case 'text':
      return { key: 'request_body_data', value: body.text } as const
  }
}
