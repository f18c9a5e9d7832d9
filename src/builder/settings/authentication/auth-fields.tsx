/** The fields of one method of authentication; only those that apply. */
import type { JSX } from 'react'
import { ClassField } from '../../fields/class-field.tsx'
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'
import { TemplateField } from '../../fields/template-field.tsx'
import { useField } from '../../session/use-field.ts'
import { OptionFields } from '../../stream/pagination/option-fields.tsx'
import type { AuthMethodName } from './auth-methods.ts'
import { CredentialField } from './credential-field.tsx'
import { JwtFields } from './jwt-fields.tsx'
import { OauthFields } from './oauth-fields.tsx'
import { SessionTokenFields } from './session-token-fields.tsx'

/** The type of what it returns makes the compiler ask for the fields of a new method. */
export function AuthFields({ at, method }: { at: Path; method: AuthMethodName }): JSX.Element | null {
  switch (method) {
    case 'NoAuth':
      return null
    case 'ApiKeyAuthenticator':
      return <ApiKeyFields at={at} />
    case 'BearerAuthenticator':
      return <CredentialField at={[...at, 'api_token']} label="Token" isRequired input="api_token" />
    case 'BasicHttpAuthenticator':
      return (
        <>
          <CredentialField at={[...at, 'username']} label="Username" isRequired input="username" isOpen />
          <CredentialField at={[...at, 'password']} label="Password" input="password" />
        </>
      )
    case 'OAuthAuthenticator':
      return <OauthFields at={at} />
    case 'SessionTokenAuthenticator':
      return <SessionTokenFields at={at} />
    case 'JwtAuthenticator':
      return <JwtFields at={at} />
    case 'CustomAuthenticator':
      return (
        <ClassField
          at={at}
          type="CustomAuthenticator"
          help="Folder, file and class, separated by dots. The folder is next to the manifest."
        />
      )
  }
}

function ApiKeyFields({ at }: { at: Path }) {
  const { value } = useField(at)
  // Older manifests name the header only.
  const isOlder = isObject(value) && value.header !== undefined && value.inject_into === undefined
  return (
    <>
      {isOlder ? (
        <TemplateField at={[...at, 'header']} label="Header" isRequired help="The header that the key is sent in." />
      ) : (
        <OptionFields at={[...at, 'inject_into']} usualName="X-API-Key" isGet />
      )}
      <CredentialField at={[...at, 'api_token']} label="API key" isRequired input="api_key" />
    </>
  )
}
