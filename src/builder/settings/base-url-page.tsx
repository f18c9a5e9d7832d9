/** What the URLs of all streams start with. */
import { useMemo } from 'react'
import { isUrl } from '../../std/text/is-url.ts'
import type { Path } from '../../document/value-path.ts'
import { Field } from '../fields/field.tsx'
import { shownText } from '../fields/text-field.tsx'
import { Worded } from '../fields/inline-code.tsx'
import { useChanges } from '../session/use-changes.ts'
import { useField } from '../session/use-field.ts'
import { useSession } from '../session/use-session.tsx'
import { TemplateInput } from '../templates/template-input.tsx'
import { useTemplateNames } from '../templates/use-template-names.ts'
import { baseUrlGroups, type Group } from './requester-groups.ts'
import { SettingsPage, UsedBy } from './settings-page.tsx'

const help = 'Every path is added to it. It may contain an input: `https://{{ config["region"] }}.example.com`'

/** Nothing asks anywhere yet: what is typed becomes the requester that the first stream will use. */
const first: Group = { at: ['definitions', 'requester', 'url_base'], streams: [] }

export function BaseUrlPage() {
  const root = useSession(({ document }) => document.value)
  const found = useMemo(() => baseUrlGroups(root), [root])
  const groups = found.length === 0 ? [first] : found
  return (
    <SettingsPage title="Base URL" lead="What the URLs of all streams start with.">
      {groups.map(({ at, streams }) => (
        <div className="group" key={at.join('/')}>
          <BaseUrlField at={at} />
          {groups.length > 1 && <UsedBy streams={streams} />}
        </div>
      ))}
    </SettingsPage>
  )
}

function BaseUrlField({ at }: { at: Path }) {
  const { value, set } = useField(at)
  const requesterAt = at.slice(0, -1)
  const { value: requester } = useField(requesterAt)
  const change = useChanges()
  const names = useTemplateNames('request')
  const isWhole = at.at(-1) === 'url'

  // Emptied, the key stays: it holds the place of what is typed next.
  function write(typed: string): void {
    if (requester !== undefined) return set(typed)
    change([{ at: requesterAt, value: { type: 'HttpRequester', url_base: typed } }], at.join('/'))
  }

  return (
    <Field
      at={at}
      label={isWhole ? 'URL' : 'API base URL'}
      isRequired
      fault={addressFault(shownText(value))}
      help={<Worded text={isWhole ? 'The whole address; the stream has no separate path.' : help} />}
    >
      {(control) => (
        <TemplateInput
          control={control}
          value={shownText(value)}
          onChange={write}
          names={names}
          placeholder="https://api.example.com/v1"
        />
      )}
    </Field>
  )
}

/** What a template becomes is known when it runs; an address that is still being typed is no mistake yet. */
function addressFault(text: string): string | null {
  const isBegun = ['https://', 'http://'].some((scheme) => scheme.startsWith(text))
  if (isBegun || /\{[{%]/.test(text) || (/^https?:\/\//i.test(text) && isUrl(text))) return null
  return 'This is not a whole address: it starts with `https://` or `http://`, then the host.'
}
