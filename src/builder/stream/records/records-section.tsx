/** Where the records are in a response, which are kept, and their primary key. */
import { useState } from 'react'
import { isObject } from '../../../std/values/objects.ts'
import type { StreamPlace } from '../../editor/use-streams.ts'
import { InYaml } from '../../fields/in-yaml.tsx'
import { namesIn, textOfNames } from '../../fields/name-path.ts'
import { NamesField } from '../../fields/names-field.tsx'
import { Section } from '../../fields/section.tsx'
import { SharedNote } from '../../fields/shared-note.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { useChanges } from '../../session/use-changes.ts'
import { useField } from '../../session/use-field.ts'
import { useParts } from '../use-parts.ts'
import { CustomExtractor, UseCustomExtractor } from './custom-extractor.tsx'
import { FilterField } from './filter-field.tsx'
import { ResponseFormatField } from './response-format-field.tsx'
import { PrimaryKeyField } from './primary-key-field.tsx'
import './records-section.css'
import { type DecoderType, responseFormatOf, formats, isItems } from './response-format.ts'
import { ResponsePicker } from './response-picker.tsx'
import { useCaptured } from './use-captured.ts'

export function RecordsSection({ stream }: { stream: StreamPlace }) {
  const { selectorAt, decoderAt } = useParts(stream.path)
  const extractorAt = [...selectorAt, 'extractor']
  const pathAt = [...extractorAt, 'field_path']
  const { value: extractor } = useField(extractorAt)
  const change = useChanges()
  const format = responseFormatOf(useField(decoderAt).value)
  const read = useCaptured(stream.name)
  // The path starts at an item, not at the response.
  const captured = isItems(format) ? null : read
  const [isPicking, setPicking] = useState(false)
  const { type = 'DpathExtractor', field_path: fieldPath } = isObject(extractor) ? extractor : {}
  const names = namesIn(fieldPath) ?? []
  return (
    <Section title="Records" summary={summaryOf(format, names)}>
      <SharedNote at={[extractorAt, [...selectorAt, 'record_filter'], decoderAt]} />
      <ResponseFormatField at={decoderAt} />
      {type === 'DpathExtractor' ? (
        <>
          <div className="field-path">
            <NamesField
              at={pathAt}
              label="Field path"
              keepsEmpty
              placeholder={isItems(format) ? 'each item' : 'the whole response'}
              help={<Worded text="Where in the response the records are: `data.items`. A star matches every item." />}
            />
            <button
              type="button"
              className="button"
              aria-expanded={isPicking && captured !== null}
              disabled={captured === null}
              onClick={() => setPicking(!isPicking)}
            >
              Pick
            </button>
          </div>
          {captured === null && <p className="pick-help">{pickHelp(format)}</p>}
          {isPicking && captured !== null && (
            <ResponsePicker
              captured={captured}
              help="Choose the list that holds the records."
              tag="records"
              isPickable={({ kind }) => kind !== 'value'}
              picked={names}
              onClose={() => setPicking(false)}
              onPick={(path) =>
                change([
                  { at: [...extractorAt, 'type'], value: 'DpathExtractor' },
                  { at: pathAt, value: [...path] },
                ])
              }
            />
          )}
          <UseCustomExtractor at={extractorAt} />
        </>
      ) : type === 'CustomRecordExtractor' ? (
        <CustomExtractor at={extractorAt} />
      ) : (
        <InYaml what="The extractor" why="is not a path into the response." />
      )}
      <FilterField at={[...selectorAt, 'record_filter']} />
      <PrimaryKeyField at={[...stream.path, 'primary_key']} records={read?.page.records ?? []} />
    </Section>
  )
}

function summaryOf(format: DecoderType | null, names: readonly string[]): string {
  const path = names.length === 0 ? (isItems(format) ? 'each item' : 'the whole response') : textOfNames(names)
  return format === null || format === 'JsonDecoder' ? path : `${formats[format].label}, ${path}`
}

function pickHelp(format: DecoderType | null): string {
  if (isItems(format)) return 'Each item is a record. Enter a path only if the record is a part of the item.'
  return format === 'XmlDecoder'
    ? 'Test the stream with an empty path to pick the list from its response.'
    : 'Test the stream once to pick the list from its response.'
}
