/** What is sent as the body: nothing, JSON, a form, text, or GraphQL. */
import { useState } from 'react'
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'
import { Field } from '../../fields/field.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { JsonField } from '../../fields/json-field.tsx'
import { PairsField } from '../../fields/pairs-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { useChanges } from '../../session/use-changes.ts'
import { useField } from '../../session/use-field.ts'
import { type RequestBodyKind, bodyKinds, requestBodyIn, changesToBody } from './body-kind.ts'

const labels: Record<RequestBodyKind, string> = {
  none: 'None',
  json: 'JSON',
  form: 'Form (url-encoded)',
  text: 'Text',
  graphql: 'GraphQL',
}

export function BodyFields({ at }: { at: Path }) {
  const { value: requester } = useField(at)
  const change = useChanges()
  const body = requestBodyIn(requester)
  if (body.kind === 'other') return <InYaml what="The body" />
  return (
    <>
      <Field at={[...at, 'request_body']} label="Body" isRequired>
        {(control) => (
          <select
            {...control}
            aria-required={undefined}
            className="input"
            value={body.kind}
            onChange={({ target }) => change(changesToBody(at, requester, target.value as RequestBodyKind))}
          >
            {bodyKinds.map((kind) => (
              <option key={kind} value={kind}>
                {labels[kind]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <BodyContent kind={body.kind} at={[...at, ...body.at]} />
    </>
  )
}

const ofVariables =
  'As JSON. Any string in it may be a template. Pagination adds its own: inject it into `body_json` as `variables.after`.'

function BodyContent({ kind, at }: { kind: RequestBodyKind; at: Path }) {
  switch (kind) {
    case 'none':
      return null
    case 'json':
      return <JsonBody at={at} />
    case 'form':
      return <PairsField at={at} label="Form" one="field" isRequired keepsEmpty />
    case 'text':
      return <TemplateField at={at} label="Text" isMultiline isRequired keepsEmpty />
    case 'graphql':
      return (
        <>
          <TemplateField at={at} label="Query" isMultiline isRequired keepsEmpty />
          <JsonField
            at={[...at.slice(0, -1), 'variables']}
            label="Variables"
            placeholder='{ "first": 100 }'
            help={<Worded text={ofVariables} />}
          />
        </>
      )
  }
}

/** Pairs where it is flat, JSON where it is not or on request; a template as it is. */
function JsonBody({ at }: { at: Path }) {
  const { value } = useField(at)
  const [wantsJson, setWantsJson] = useState(false)
  if (typeof value === 'string') return <TemplateField at={at} label="JSON" isMultiline isRequired keepsEmpty />
  const isFlat =
    isObject(value) && Object.values(value).every((member) => typeof member !== 'object' || member === null)
  const isText = wantsJson || !isFlat
  return (
    <>
      {isText ? (
        <JsonField at={at} label="JSON" isRequired keepsEmpty help="Any string in it may be a template." />
      ) : (
        <PairsField at={at} label="JSON" one="field" isRequired keepsEmpty />
      )}
      {isFlat && (
        <button type="button" className="button quiet small as-other" onClick={() => setWantsJson(!wantsJson)}>
          {isText ? 'Show as fields' : 'Write as JSON'}
        </button>
      )}
    </>
  )
}
