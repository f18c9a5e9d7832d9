/** Every field of OAuth, the usual ones first. */
import type { Path } from '../../../document/value-path.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { LinesField } from '../../fields/lines-field.tsx'
import { NamesField } from '../../fields/names-field.tsx'
import { PairsField } from '../../fields/pairs-field.tsx'
import { SwitchField } from '../../fields/switch-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { TextField } from '../../fields/text-field.tsx'
import { Toggle } from '../../fields/toggle.tsx'
import { useRemembered } from '../../session/remembered.ts'
import { useField } from '../../session/use-field.ts'
import { useSessionStore } from '../../session/use-session.tsx'
import { Folded } from '../../fields/folded.tsx'
import { changeGrant } from './change-auth.ts'
import { CredentialField } from './credential-field.tsx'

const grants = ['refresh_token', 'client_credentials'].map((value) => ({ value, label: value }))

export function OauthFields({ at }: { at: Path }) {
  const { value: grant = 'refresh_token' } = useField([...at, 'grant_type'])
  const { value: token } = useField([...at, 'refresh_token'])
  const { value: assertion } = useField([...at, 'profile_assertion'])
  const { value: isSigned } = useField([...at, 'use_profile_assertion'])
  const { value: updater } = useField([...at, 'refresh_token_updater'])
  const store = useSessionStore()
  const { recall, remember } = useRemembered()
  const tokenAt = [...at, 'refresh_token']
  const usesToken = grant === 'refresh_token' || token !== undefined
  // With an updater, the config has what the manifest leaves out; a signed assertion takes their place.
  const isNeeded = !updater && isSigned !== true
  return (
    <>
      <TemplateField
        at={[...at, 'token_refresh_endpoint']}
        label="Token endpoint"
        isRequired
        placeholder="https://auth.example.com/oauth/token"
        help="The URL that returns access tokens. It is requested with POST before the first request, and when a token has expired."
      />
      <ChoiceField
        at={[...at, 'grant_type']}
        label="Grant type"
        fallback="refresh_token"
        choices={grants}
        help="What is exchanged for a token: a refresh token, or the credentials of the client."
        onChoose={(next) => {
          remember(token, tokenAt)
          store.edit(changeGrant(store.get().document.text, at, next, recall(tokenAt)))
        }}
      />
      <CredentialField at={[...at, 'client_id']} label="Client ID" isRequired={isNeeded} input="client_id" />
      <CredentialField
        at={[...at, 'client_secret']}
        label="Client secret"
        isRequired={isNeeded}
        input="client_secret"
      />
      {usesToken && (
        <CredentialField
          at={tokenAt}
          label="Refresh token"
          isRequired={isNeeded && grant === 'refresh_token'}
          input="refresh_token"
        />
      )}
      <LinesField at={[...at, 'scopes']} label="Scopes" help="One per line; sent with one space between them." />
      {assertion !== undefined && <InYaml what="The profile assertion" why="signs the request for a token." />}
      {(usesToken || updater !== undefined) && <UpdaterFields at={[...at, 'refresh_token_updater']} />}
      <Folded title="The token request">
        <SwitchField
          at={[...at, 'send_refresh_request_as_query_params']}
          label="Send as query parameters"
          help="Instead of a form in the body."
        />
        <PairsField at={[...at, 'refresh_request_body']} label="More in the body" one="value" />
        <PairsField at={[...at, 'refresh_request_headers']} label="Headers" one="header" />
        <div className="side-by-side">
          <TextField at={[...at, 'client_id_name']} label="Name of the client ID" placeholder="client_id" isCode />
          <TextField
            at={[...at, 'client_secret_name']}
            label="Name of the client secret"
            placeholder="client_secret"
            isCode
          />
          <TextField
            at={[...at, 'refresh_token_name']}
            label="Name of the refresh token"
            placeholder="refresh_token"
            isCode
          />
          <TextField at={[...at, 'grant_type_name']} label="Name of the grant type" placeholder="grant_type" isCode />
        </div>
      </Folded>
      <Folded title="The token response">
        <div className="side-by-side">
          <TextField
            at={[...at, 'access_token_name']}
            label="Name of the access token"
            placeholder="access_token"
            isCode
          />
          <TextField at={[...at, 'expires_in_name']} label="Name of the expiry" placeholder="expires_in" isCode />
          <TextField
            at={[...at, 'token_expiry_date_format']}
            label="Format of the expiry"
            help="Only where it is a date and not a number of seconds."
            isCode
          />
        </div>
        <CredentialField at={[...at, 'access_token_value']} label="Access token" input="access_token" />
        <TemplateField
          at={[...at, 'token_expiry_date']}
          label="Expires at"
          help="When the access token above expires; it is used until then."
        />
        <LinesField
          at={[...at, 'refresh_token_error_status_codes']}
          label="Status of a refused refresh token"
          isNumbers
          help="One per line. With key and values below: the user must connect again."
        />
        <TextField at={[...at, 'refresh_token_error_key']} label="Key of the error" placeholder="error" isCode />
        <LinesField at={[...at, 'refresh_token_error_values']} label="Values of the error" />
      </Folded>
    </>
  )
}

/** APIs whose refresh tokens work once: the new one is written into the config. */
function UpdaterFields({ at }: { at: Path }) {
  const { value, set, remove } = useField(at)
  const { recall, remember } = useRemembered()
  return (
    <Toggle
      label="Refresh token works only once"
      help="Each response has the next refresh token, which is kept in the config."
      isOn={value !== undefined && value !== null}
      onSwitch={(isOn) => {
        if (isOn) return set(recall(at) ?? usualUpdater)
        remember(value, at)
        remove()
      }}
    >
      <TextField at={[...at, 'refresh_token_name']} label="Name in the response" placeholder="refresh_token" isCode />
      <div className="side-by-side">
        <NamesField at={[...at, 'refresh_token_config_path']} label="Input of the refresh token" />
        <NamesField at={[...at, 'access_token_config_path']} label="Input of the access token" />
        <NamesField at={[...at, 'token_expiry_date_config_path']} label="Input of the expiry" />
      </div>
    </Toggle>
  )
}

const usualUpdater = {
  refresh_token_name: 'refresh_token',
  refresh_token_config_path: ['refresh_token'],
  access_token_config_path: ['access_token'],
  token_expiry_date_config_path: ['token_expiry_date'],
}
