/** What the addresses of all streams begin with. */
import { useMemo } from 'react'
import { TemplateField } from '../fields/template-field.tsx'
import { useField } from '../session/use-field.ts'
import { useSession } from '../session/use-session.tsx'
import { baseUrlGroups } from './requester-groups.ts'
import { SettingsPage, UsedBy } from './settings-page.tsx'

const help = 'Every path is added to it. An input may stand in it: https://{{ config["region"] }}.example.com'

export function BaseUrlPage() {
  const root = useSession(({ document }) => document.value)
  const groups = useMemo(() => baseUrlGroups(root), [root])
  return (
    <SettingsPage title="Base URL" lead="What the addresses of all streams begin with.">
      {groups.length === 0 && <FirstBaseUrl />}
      {groups.map(({ at, streams }) => (
        <div className="group" key={at.join('/')}>
          <TemplateField
            at={at}
            label={at.at(-1) === 'url' ? 'URL' : 'API base URL'}
            isRequired
            placeholder="https://api.example.com/v1"
            help={at.at(-1) === 'url' ? 'The whole address; there is no path beside it.' : help}
          />
          {groups.length > 1 && <UsedBy streams={streams} />}
        </div>
      ))}
    </SettingsPage>
  )
}

/** Nothing asks anywhere yet: what is typed becomes the requester that the first stream will use. */
function FirstBaseUrl() {
  const { set } = useField(['definitions', 'requester'])
  return (
    <div className="field">
      <label htmlFor="first-base-url">API base URL</label>
      <input
        id="first-base-url"
        className="input mono"
        aria-describedby="first-base-url-help"
        placeholder="https://api.example.com/v1"
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => set({ type: 'HttpRequester', url_base: target.value })}
      />
      <p className="help" id="first-base-url-help">
        {help}
      </p>
    </div>
  )
}
