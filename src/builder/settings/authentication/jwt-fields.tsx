/** A token that is signed here: key, algorithm, and what it says. */
import type { Path } from '../../../document/value-path.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { NumberTemplateField } from '../../fields/number-template-field.tsx'
import { PairsField } from '../../fields/pairs-field.tsx'
import { SwitchField } from '../../fields/switch-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { TextField } from '../../fields/text-field.tsx'
import { Toggle } from '../../fields/toggle.tsx'
import { useField } from '../../session/use-field.ts'
import { OptionFields } from '../../stream/pagination/option-fields.tsx'
import { Folded } from '../../fields/folded.tsx'
import { CredentialField } from './credential-field.tsx'

const algorithms = 'HS256 HS384 HS512 ES256 ES256K ES384 ES512 RS256 RS384 RS512 PS256 PS384 PS512 EdDSA'
  .split(' ')
  .map((value) => ({ value, label: value }))

export function JwtFields({ at }: { at: Path }) {
  return (
    <>
      <CredentialField at={[...at, 'secret_key']} label="Secret key" isRequired input="secret_key" />
      <SwitchField
        at={[...at, 'base64_encode_secret_key']}
        label="Encode the key in base64 first"
        help="For APIs that hand out keys in plain text and expect base64."
      />
      <div className="side-by-side">
        <ChoiceField at={[...at, 'algorithm']} label="Algorithm" isRequired choices={algorithms} />
        <NumberTemplateField
          at={[...at, 'token_duration']}
          label="Token lasts"
          fallback={1200}
          help="In seconds; a new one is signed then."
        />
        <TextField at={[...at, 'header_prefix']} label="Header prefix" help="Written before the token: Bearer." />
      </div>
      <div className="side-by-side">
        <TemplateField at={[...at, 'jwt_payload', 'iss']} label="Issuer (iss)" />
        <TemplateField at={[...at, 'jwt_payload', 'sub']} label="Subject (sub)" />
        <TemplateField at={[...at, 'jwt_payload', 'aud']} label="Audience (aud)" />
      </div>
      <PairsField at={[...at, 'additional_jwt_payload']} label="More claims" one="claim" />
      <Folded title="Header of the token">
        <div className="side-by-side">
          <TemplateField at={[...at, 'jwt_headers', 'kid']} label="Key ID (kid)" />
          <TextField at={[...at, 'jwt_headers', 'typ']} label="Type (typ)" placeholder="JWT" isCode />
          <TextField at={[...at, 'jwt_headers', 'cty']} label="Content type (cty)" isCode />
        </div>
        <PairsField at={[...at, 'additional_jwt_headers']} label="More headers" one="header" />
        <CredentialField at={[...at, 'passphrase']} label="Passphrase of the key" input="passphrase" />
      </Folded>
      <PlacedElsewhere at={[...at, 'request_option']} />
    </>
  )
}

function PlacedElsewhere({ at }: { at: Path }) {
  const { value, set, remove } = useField(at)
  return (
    <Toggle
      label="Send the token elsewhere"
      help="Instead of the header Authorization."
      isOn={value !== undefined && value !== null}
      onSwitch={(isOn) =>
        isOn ? set({ type: 'RequestOption', inject_into: 'header', field_name: 'X-Token' }) : remove()
      }
    >
      <OptionFields at={at} usualName="X-Token" isGet />
    </Toggle>
  )
}
