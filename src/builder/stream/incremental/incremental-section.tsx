/** How a stream is read incrementally: from when, in which steps, and what is requested. */
import { isObject } from '../../../std/values/objects.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { InYaml } from '../../fields/in-yaml.tsx'
import { Section } from '../../fields/section.tsx'
import { SharedNote } from '../../fields/shared-note.tsx'
import { shownText } from '../../fields/text-field.tsx'
import { useOptional } from '../components/use-optional.ts'
import { useParts } from '../use-parts.ts'
import { lazyPart } from '../../lazy-part.tsx'
import type { Path } from '../../../document/value-path.ts'
import { NumberTemplateField } from '../../fields/number-template-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { InjectionToggle } from '../components/injection-toggle.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { formWords } from '../../yaml/place-words.ts'
import { usePreview } from '../../session/use-inspection.ts'
import { isInBody } from '../pagination/placement.ts'
import '../pagination/requests-preview.css'

/** Many streams have none. */
const DatetimeFields = lazyPart(() => import('./datetime-fields.tsx').then((loaded) => loaded.DatetimeFields), {
  waiting: null,
})

/** The field is the author's to name: an invented one would read nothing, or everything, without a word. */
const usual = {
  type: 'DatetimeBasedCursor',
  cursor_datetime_formats: ['%Y-%m-%dT%H:%M:%SZ'],
  datetime_format: '%Y-%m-%dT%H:%M:%SZ',
  start_datetime: {
    type: 'MinMaxDatetime',
    datetime: '2024-01-01T00:00:00Z',
    datetime_format: '%Y-%m-%dT%H:%M:%SZ',
  },
}

export function IncrementalSection({ stream }: { stream: StreamPlace }) {
  const at = [...stream.path, 'incremental_sync']
  const { requesterAt } = useParts(stream.path)
  const { value, isOn, onSwitch } = useOptional(at, usual)
  const { type, cursor_field: field } = isObject(value) ? value : {}
  return (
    <Section
      title="Incremental sync"
      docs="incremental"
      summary={isOn ? summaryOf(field) : 'every record, every time'}
      isOn={isOn}
      onSwitch={onSwitch}
    >
      <SharedNote at={[at]} />
      {type === 'DatetimeBasedCursor' && <DatetimeFields at={at} requesterAt={requesterAt} />}
      {type === 'IncrementingCountCursor' && <CountFields at={at} requesterAt={requesterAt} />}
      {type !== 'DatetimeBasedCursor' && type !== 'IncrementingCountCursor' && <InYaml what="This cursor" />}
      <FirstRequest stream={stream.name} showsBody={boundsOf(value).some(isInBody)} />
    </Section>
  )
}

function summaryOf(field: unknown): string {
  return field === undefined ? 'no cursor field yet' : `by ${shownText(field)}`
}

function CountFields({ at, requesterAt }: { at: Path; requesterAt: Path }) {
  return (
    <>
      <div className="side-by-side">
        <TemplateField at={[...at, 'cursor_field']} label="Cursor field" isRequired help="A number that only grows." />
        <NumberTemplateField
          at={[...at, 'start_value']}
          label="Start value"
          fallback={0}
          help="Where the first read begins."
        />
      </div>
      <InjectionToggle
        at={[...at, 'start_value_option']}
        requesterAt={requesterAt}
        what="start value"
        help="Without it every record is read, and older ones are dropped."
      />
    </>
  )
}

/** Where the bounds of a window go. */
function boundsOf(cursor: unknown): readonly unknown[] {
  if (!isObject(cursor)) return []
  return [cursor.start_time_option, cursor.end_time_option, cursor.start_value_option]
}

function FirstRequest({ stream, showsBody }: { stream: string; showsBody: boolean }) {
  const preview = usePreview(stream)
  const request = preview?.requests[0]
  return (
    <section className="requests-preview" aria-label="First window">
      <header>
        <h3>First window</h3>
      </header>
      <ol aria-busy={preview === null}>
        <li>
          {request === undefined ? (
            <p className="none">–</p>
          ) : (
            <>
              <p className="line">
                <b>{request.method}</b> {request.url}
              </p>
              {showsBody && <p className="line body">{request.body}</p>}
            </>
          )}
        </li>
      </ol>
      {preview !== null && request === undefined && preview.trouble !== null && (
        <p className="stops">
          <Worded text={formWords(preview.trouble)} />
        </p>
      )}
    </section>
  )
}
