/** A session: the request that logs in, where its token is, and how the token is sent. */
import { isObject } from '../../../std/values/objects.ts'
import { changesBetween } from '../../../document/edit-resolved.ts'
import type { Path } from '../../../document/value-path.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { NamesField } from '../../fields/names-field.tsx'
import { PairsField } from '../../fields/pairs-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { TextField } from '../../fields/text-field.tsx'
import { useChanges } from '../../session/use-changes.ts'
import { useField } from '../../session/use-field.ts'
import { BodyFields } from '../../stream/request/body-fields.tsx'
import { OptionFields } from '../../stream/pagination/option-fields.tsx'
import { Folded } from '../../fields/folded.tsx'
import { inputNamesIn } from '../inputs/config-references.ts'
import { UsedInputs } from '../inputs/used-inputs.tsx'
import { AuthForm } from './auth-form.tsx'

const httpMethods = ['POST', 'GET'].map((value) => ({ value, label: value }))
const ways = [
  { value: 'Bearer', label: 'Bearer' },
  { value: 'ApiKey', label: 'API key' },
]

export function SessionTokenFields({ at }: { at: Path }) {
  const loginAt = [...at, 'login_requester']
  const { value: login } = useField(loginAt)
  const { url } = isObject(login) ? login : {}
  return (
    <>
      <fieldset className="auth-part">
        <legend>Login request</legend>
        <div className="side-by-side">
          <ChoiceField
            at={[...loginAt, 'http_method']}
            label="Method"
            isRequired
            fallback="GET"
            choices={httpMethods}
          />
          {url === undefined ? (
            <>
              <TemplateField
                at={[...loginAt, 'url_base']}
                label="Login base URL"
                isRequired
                placeholder="https://api.example.com"
              />
              <TemplateField at={[...loginAt, 'path']} label="Login path" placeholder="/login" />
            </>
          ) : (
            <TemplateField at={[...loginAt, 'url']} label="Login URL" isRequired />
          )}
        </div>
        <PairsField at={[...loginAt, 'request_headers']} label="Headers" one="header" />
        <BodyFields at={loginAt} />
        <UsedInputs names={inputNamesIn(isObject(login) ? { ...login, authenticator: null } : null)} />
        <Folded title="Authentication of the login request">
          <AuthForm
            at={[...loginAt, 'authenticator']}
            methods={['NoAuth', 'ApiKeyAuthenticator', 'BearerAuthenticator', 'BasicHttpAuthenticator']}
          />
        </Folded>
      </fieldset>
      <div className="side-by-side">
        <NamesField
          at={[...at, 'session_token_path']}
          label="Session token path"
          isRequired
          keepsEmpty
          placeholder="data.token"
          help="Where in the response the token is."
        />
        <TextField
          at={[...at, 'expiration_duration']}
          label="Expires after"
          placeholder="PT1H"
          isCode
          help="An ISO 8601 duration, after which to log in again. Empty: before every request."
        />
      </div>
      <SentAs at={[...at, 'request_authentication']} />
    </>
  )
}

/** How the token goes into the requests of the streams. */
function SentAs({ at }: { at: Path }) {
  const { value } = useField(at)
  const change = useChanges()
  const type = isObject(value) ? value.type : undefined
  return (
    <>
      <ChoiceField
        at={[...at, 'type']}
        label="Send the token as"
        isRequired
        choices={ways}
        help={type === 'ApiKey' ? 'Where the API expects it.' : 'In the header Authorization, after Bearer.'}
        onChoose={(chosen) =>
          change(
            changesBetween(
              at,
              value,
              chosen === 'Bearer'
                ? { type: 'Bearer' }
                : {
                    type: 'ApiKey',
                    inject_into: { type: 'RequestOption', inject_into: 'header', field_name: 'X-Session-Token' },
                  },
            ),
          )
        }
      />
      {type === 'ApiKey' && <OptionFields at={[...at, 'inject_into']} usualName="X-Session-Token" isGet />}
    </>
  )
}
