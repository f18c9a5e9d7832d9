/** Where the next cursor comes from. */
import { useState } from 'react'
import type { Path } from '../../../document/value-path.ts'
import { Field } from '../../fields/field.tsx'
import { NamesInput } from '../../fields/names-input.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { useRemembered } from '../../session/remembered.ts'
import { useChanges } from '../../session/use-changes.ts'
import { useField } from '../../session/use-field.ts'
import { cursorProperty, cursorTemplate, isNoCursor } from './cursor-property.ts'
import { pathOfTemplate, stopPath, stopTemplate } from './picked-path.ts'
import { Pickable, useValuePickers } from './value-picker.tsx'
import { writePathTemplate } from '../../../engine/template/syntax/path.ts'

type CursorType = 'response' | 'headers' | 'custom'

const typeHelp: Record<CursorType, string> = {
  response: 'The body of each page has the value that requests the next one.',
  headers: 'A header of each response has the value that requests the next one.',
  custom: 'A template makes the cursor of the next request.',
}

const propertyHelp: Record<'response' | 'headers', string> = {
  response:
    'Its path in the response: `next_cursor`, or `paging.next.after`. Pagination stops when it is null, empty or missing.',
  headers: 'The header, in any case. A Link header is read: `link.next.url` is the next address.',
}

export function CursorFields({ strategyAt }: { strategyAt: Path }) {
  const valueAt = [...strategyAt, 'cursor_value']
  const stopAt = [...strategyAt, 'stop_condition']
  const { value } = useField(valueAt)
  const { value: stop } = useField(stopAt)
  const { recall, remember } = useRemembered()
  const change = useChanges()
  // Until a property is named, and when a template happens to be a plain path, only the person knows.
  const [chosen, choose] = useState<CursorType | null>(null)
  const property = cursorProperty(value)
  const isPlain = property !== null && (stop === undefined || stop === null || isNoCursor(stop, property))
  const written = isPlain ? property.from : 'custom'
  const isOpen = value === undefined || value === null || value === ''
  // A template that is emptied, to write another, is still going to be one; and an emptied stop condition too.
  const [before, setBefore] = useState<{ type: CursorType; value: unknown }>({ type: 'response', value: undefined })
  const isStillCustom = chosen === 'custom' || (chosen === null && before.type === 'custom' && before.value === value)
  const type = isOpen ? (chosen ?? before.type) : isStillCustom ? 'custom' : written
  if (type !== before.type || value !== before.value) setBefore({ type, value })
  const names = isPlain && property.from === type ? property.names : []

  function changeType(next: CursorType): void {
    choose(next)
    if (type === 'custom') {
      remember(value, valueAt)
      remember(stop, stopAt)
    }
    if (next === 'custom') {
      const [template, condition] = [recall(valueAt), recall(stopAt)]
      if (template !== undefined)
        change([
          { at: valueAt, value: template },
          { at: stopAt, value: condition },
        ])
      return
    }
    change([
      { at: valueAt, value: isPlain ? cursorTemplate({ from: next, names: property.names }) : undefined },
      { at: stopAt, value: undefined },
    ])
  }

  function pickCursor(path: readonly string[]): void {
    const [root, ...picked] = path
    const isProperty = type !== 'custom' && (root === 'response' || root === 'headers')
    choose(isProperty ? root : 'custom')
    change([
      { at: valueAt, value: isProperty ? cursorTemplate({ from: root, names: picked }) : writePathTemplate(path) },
      ...(isProperty ? [{ at: stopAt, value: undefined }] : []),
    ])
  }

  const pickers = useValuePickers(strategyAt.slice(0, -1))
  const cursorPicker = pickers({
    what: 'the cursor',
    help: 'Choose the value that asks for the next page.',
    tag: 'cursor',
    picked: property === null ? pathOfTemplate(value) : [property.from, ...property.names],
    isPickable: ({ value: shown }) => typeof shown !== 'boolean',
    onPick: ({ path }) => pickCursor(path),
  })
  const stopPicker = pickers({
    what: 'the stop condition',
    help: 'Choose the value that says whether there are more pages.',
    tag: 'stop',
    picked: stopPath(stop),
    onPick: ({ path, value: shown }) => change([{ at: stopAt, value: stopTemplate(path, shown) }]),
  })

  return (
    <>
      <Field at={[...strategyAt, 'type']} label="Next page cursor type" isRequired help={typeHelp[type]}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={type}
            onChange={({ target }) => changeType(target.value as CursorType)}
          >
            {(['response', 'headers', 'custom'] as const).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </Field>
      {type === 'custom' ? (
        <>
          <Pickable picker={cursorPicker}>
            <TemplateField
              at={valueAt}
              label="Cursor value"
              isRequired
              placeholder="{{ response.next_cursor }}"
              help="What asks for the next page. May use response, headers, last_record, last_records, last_page_size and config."
            />
          </Pickable>
          <Pickable picker={stopPicker}>
            <TemplateField
              at={stopAt}
              label="Stop condition"
              as="boolean"
              placeholder="{{ response.has_more is false }}"
              help="The page for which this is true is the last one. Without it, pagination stops when the cursor is empty."
            />
          </Pickable>
        </>
      ) : (
        <Pickable picker={cursorPicker}>
          <Field at={valueAt} label="Cursor property" isRequired help={<Worded text={propertyHelp[type]} />}>
            {(control) => (
              <NamesInput
                {...control}
                names={names}
                placeholder={type === 'headers' ? 'link.next.url' : 'paging.next'}
                onNames={(changed) => {
                  choose(type)
                  const template = changed.length === 0 ? undefined : cursorTemplate({ from: type, names: changed })
                  change(
                    [
                      { at: valueAt, value: template },
                      { at: stopAt, value: undefined },
                    ],
                    valueAt.join('/'),
                  )
                }}
              />
            )}
          </Field>
        </Pickable>
      )}
    </>
  )
}
