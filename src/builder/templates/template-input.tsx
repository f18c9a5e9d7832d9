/** A text box for templates: coloured, with what may be written next. Lines that are too long wrap, and the box grows. */
import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from '@ariakit/react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { ControlProps } from '../fields/field.tsx'
import { type Offer, offerAt, openedBefore, type Option } from './completion.ts'
import { PaintedTemplate, rectAt } from './painted-template.tsx'
import type { TemplateNames } from './template-names.ts'
import './template-input.css'
import './completion-list.css'

export type TemplateInputHandle = {
  /** Writes at the caret, inside `{{ }}`: adds them where there are none. */
  readonly insert: (path: string) => void
}

export type TemplateInputProps = {
  /** Of a `Field`; or an `aria-label` where there is none around it. */
  readonly control: Partial<ControlProps> & { readonly 'aria-label'?: string; readonly autoFocus?: boolean }
  readonly value: string
  readonly onChange: (value: string) => void
  readonly names: TemplateNames
  readonly placeholder?: string | undefined
  readonly isMultiline?: boolean
  /** Shown at the end of the box. */
  readonly children?: ReactNode
  readonly handle?: Ref<TemplateInputHandle>
}

export function TemplateInput(props: TemplateInputProps) {
  const { control, value, onChange, names, placeholder, isMultiline = false, children, handle } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const paint = useRef<HTMLDivElement>(null)
  const caretAfter = useRef(control.autoFocus === true ? value.length : null)
  const [offer, setOffer] = useState<Offer | null>(null)

  // The caret can be placed after the inserted text only once it is there.
  useLayoutEffect(() => {
    if (caretAfter.current === null) return
    box.current?.setSelectionRange(caretAfter.current, caretAfter.current)
    caretAfter.current = null
  })

  const replace = (from: number, to: number, inserted: string) => {
    box.current?.focus()
    box.current?.setSelectionRange(from, to)
    // As if typed: the browser's undo forgets everything when a value is set by a script.
    if (document.execCommand('insertText', false, inserted)) return
    caretAfter.current = from + inserted.length
    onChange(value.slice(0, from) + inserted + value.slice(to))
  }
  useImperativeHandle(handle, () => ({
    insert(path) {
      const { selectionStart: from = value.length, selectionEnd: to = value.length } = box.current ?? {}
      replace(from, to, openedBefore(value, from) === null ? `{{ ${path} }}` : path)
    },
  }))

  const change = ({ value: typed, selectionStart: caret }: HTMLTextAreaElement) => {
    const text = isMultiline ? typed : typed.replaceAll(/\r?\n/g, ' ')
    onChange(text)
    setOffer(offerAt(text, caret, names, false))
  }
  const choose = ({ insert }: Option) => {
    if (offer !== null) replace(offer.from, offer.to, insert)
    setOffer(null)
  }
  const key = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isAsking = (event.ctrlKey && event.key === ' ') || (event.altKey && event.key === 'ArrowDown')
    if (isAsking) {
      event.preventDefault()
      setOffer(offerAt(value, event.currentTarget.selectionStart, names, true))
    } else if (event.key === 'Enter' && !isMultiline && offer === null) event.preventDefault()
    else if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) setOffer(null)
  }

  return (
    <ComboboxProvider open={offer !== null} setOpen={(isOpen) => isOpen || setOffer(null)}>
      <div className="template-input input mono" data-invalid={control['aria-invalid']}>
        <div className="box">
          <PaintedTemplate text={value} ref={paint} />
          <Combobox
            {...control}
            autoSelect="always"
            value={value}
            showOnClick={false}
            showOnChange={false}
            showOnKeyPress={false}
            setValueOnChange={false}
            render={
              <PlainTextArea
                ref={box}
                rows={1}
                placeholder={placeholder}
                spellCheck={false}
                autoCapitalize="off"
                onChange={({ currentTarget }) => change(currentTarget)}
                onKeyDown={key}
                onPointerDown={() => setOffer(null)}
                onBlur={() => setOffer(null)}
              />
            }
          />
        </div>
        {children}
      </div>
      {offer !== null && <CompletionList offer={offer} paint={paint} onChoose={choose} />}
    </ComboboxProvider>
  )
}

/** A text box with a list next to it: a text area may have no other role, nor be marked as expanded. */
function PlainTextArea(props: ComponentProps<'textarea'>) {
  const plain = { ...props, role: undefined, 'aria-expanded': undefined }
  return <textarea {...plain} />
}

type CompletionListProps = {
  readonly offer: Offer
  readonly paint: RefObject<HTMLElement | null>
  readonly onChoose: (option: Option) => void
}

function CompletionList({ offer, paint, onChoose }: CompletionListProps) {
  return (
    <ComboboxPopover
      // In place: the list belongs to its field, and no column cuts it off.
      fixed
      fitViewport
      gutter={8}
      className="completion-list"
      aria-label="Names to insert"
      getAnchorRect={() => (paint.current === null ? null : rectAt(paint.current, offer.from))}
      // The list follows the word, which moves as lines wrap.
      key={offer.from}
    >
      {offer.options.map((option) => (
        <ComboboxItem
          key={`${option.kind} ${option.label}`}
          value={option.label}
          setValueOnClick={false}
          focusOnHover
          className="item"
          onClick={() => onChoose(option)}
        >
          <span className={`label ${option.kind}`}>{option.label}</span>
          <span className="type">{option.type}</span>
          <span className="sample">{option.sample}</span>
        </ComboboxItem>
      ))}
    </ComboboxPopover>
  )
}
