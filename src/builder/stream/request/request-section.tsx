/** What is asked: method, path, query, headers, body. */
import { isObject } from '../../../std/values/objects.ts'
import { inheritedAt } from '../../../document/follow.ts'
import type { Path } from '../../../document/value-path.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { PairsField } from '../../fields/pairs-field.tsx'
import { Section } from '../../fields/section.tsx'
import { SharedNote } from '../../fields/shared-note.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { shownText } from '../../fields/text-field.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { useField } from '../../session/use-field.ts'
import { useSession } from '../../session/use-session.tsx'
import { useParts } from '../use-parts.ts'
import { BodyFields } from './body-fields.tsx'
import './request-section.css'

const httpMethods = ['GET', 'POST'].map((value) => ({ value, label: value }))

export function RequestSection({ stream }: { stream: StreamPlace }) {
  const { requesterAt: at } = useParts(stream.path)
  const { value: requester } = useField(at)
  const { http_method: method = 'GET', path, type, url, url_base: base } = isObject(requester) ? requester : {}
  const isOwn = type === 'CustomRequester'
  return (
    <Section title="Request" summary={`${shownText(method)} ${shownText(path ?? url)}`}>
      {isOwn ? (
        <InYaml what="The requester" why="is a class of this connector." />
      ) : (
        <>
          <SharedNote
            at={['http_method', 'path', 'url', 'request_parameters', 'request_headers'].map((key) => [...at, key])}
          />
          <div className="request-line">
            <ChoiceField at={[...at, 'http_method']} label="Method" isRequired fallback="GET" choices={httpMethods} />
            {url !== undefined && base === undefined ? (
              <TemplateField at={[...at, 'url']} label="URL" isRequired />
            ) : (
              <>
                <BaseUrl base={base} />
                <PathField at={[...at, 'path']} />
              </>
            )}
          </div>
          <PairsField at={[...at, 'request_parameters']} label="Query parameters" one="parameter" />
          <PairsField at={[...at, 'request_headers']} label="Headers" one="header" />
          <BodyFields at={at} />
          <InjectionAdvice />
        </>
      )}
    </Section>
  )
}

/** `$parameters` may say it for a stream whose requester is shared. */
function PathField({ at }: { at: Path }) {
  const inherited = useSession(({ document }) => inheritedAt(document.value, at))
  if (typeof inherited !== 'string') return <TemplateField at={at} label="Path" placeholder="orders" />
  const help = <Worded text={`From \`$parameters\`: \`${inherited}\`. What is written here is used instead.`} />
  return <TemplateField at={at} label="Path" placeholder={inherited} help={help} />
}

/** Written in the settings; here to see what the path is added to. */
function BaseUrl({ base }: { base: unknown }) {
  const text = shownText(base)
  return (
    <div className="field base-url">
      <span className="label">Base URL</span>
      <output className="mono" title={text}>
        {text === '' ? 'not set yet' : text}
      </output>
    </div>
  )
}

const cases: readonly (readonly [when: string, example: string])[] = [
  ['A prefix or suffix on the value', "cursor:{{ next_page_token['next_page_token'] }}"],
  ['Several values in one parameter', "{{ next_page_token['next_page_token'] or '0' }},50"],
  ['A place in the URL path', "orders/page/{{ next_page_token['next_page_token'] or 1 }}"],
  ['A condition', "{{ next_page_token['next_page_token'] if next_page_token else 'start' }}"],
]

function InjectionAdvice() {
  return (
    <details className="advice">
      <summary>Custom parameter injection</summary>
      <p>
        Query, headers, body and path are templates. Switch the injection off under Pagination and write the value where
        it belongs. Four cases need this:
      </p>
      <dl>
        {cases.map(([when, example]) => (
          <div key={when}>
            <dt>{when}</dt>
            <dd>
              <code>{example}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
