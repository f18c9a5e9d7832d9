/** What a response is written in, and what its decoder has to know. */
import { setIn } from '../../../document/edit.ts'
import type { Path } from '../../../document/value-path.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { ClassField } from '../../fields/class-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { LinesField } from '../../fields/lines-field.tsx'
import { TextField } from '../../fields/text-field.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { useRemembered } from '../../session/remembered.ts'
import { useField } from '../../session/use-field.ts'
import { useSessionStore } from '../../session/use-session.tsx'
import { type DecoderType, formatChoices, responseFormatOf, formats, newDecoder } from './response-format.ts'

/** @param isPacked of what is inside a gzip or ZIP file */
export function ResponseFormatField({ at, isPacked = false }: { at: Path; isPacked?: boolean }) {
  const { value, writtenAt, remove } = useField(at)
  const store = useSessionStore()
  const { recall, remember } = useRemembered()
  const type = responseFormatOf(value)
  const label = isPacked ? 'Packed format' : 'Response format'
  if (type === null) return <InYaml what={label} />

  function choose(next: DecoderType): void {
    if (type !== null) remember(value, at, type)
    // JSON needs no decoder, except inside a file.
    if (next === 'JsonDecoder' && !isPacked) return remove()
    store.edit(setIn(store.get().document.text, writtenAt, recall(at, next) ?? newDecoder(next)))
  }

  return (
    <>
      <ChoiceField
        at={[...at, 'type']}
        label={label}
        choices={formatChoices(isPacked)}
        fallback={type}
        help={<Worded text={formats[type].help} />}
        onChoose={(next) => choose(next as DecoderType)}
      />
      <DecoderFields at={at} type={type} />
    </>
  )
}

function DecoderFields({ at, type }: { at: Path; type: DecoderType }) {
  switch (type) {
    case 'CsvDecoder':
      return (
        <>
          <div className="side-by-side">
            <TextField
              at={[...at, 'delimiter']}
              label="Delimiter"
              isCode
              placeholder=","
              help={<Worded text="One character between the values of a row; `\t` is a tab." />}
            />
            <Encoding at={at} />
          </div>
          <LinesField
            at={[...at, 'set_values_to_none']}
            label="Null values"
            placeholder={'N/A\n-'}
            help="Values that mean null, one per line."
          />
        </>
      )
    case 'JsonItemsDecoder':
      return (
        <div className="side-by-side">
          <TextField
            at={[...at, 'items_path']}
            label="Items path"
            isRequired
            isCode
            placeholder="data.users"
            help={<Worded text="Where the list is: `data.users`. The Field path below starts at one item." />}
          />
          <Encoding at={at} />
        </div>
      )
    case 'GzipDecoder':
    case 'ZipfileDecoder':
      return <ResponseFormatField at={[...at, 'decoder']} isPacked />
    case 'CustomDecoder':
      return (
        <ClassField at={at} type="CustomDecoder" label="Decoder class" help="A response in, the values in it out." />
      )
    default:
      return null
  }
}

function Encoding({ at }: { at: Path }) {
  return (
    <TextField
      at={[...at, 'encoding']}
      label="Encoding"
      isCode
      placeholder="utf-8"
      help="How characters are encoded."
    />
  )
}
