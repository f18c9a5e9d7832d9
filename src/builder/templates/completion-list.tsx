/** The completion list, next to the word it completes. */
import { ComboboxItem, ComboboxPopover } from '@ariakit/react'
import type { RefObject } from 'react'
import type { Offer, Option } from './completion.ts'
import './completion-list.css'
import { rectAt } from './painted-template.tsx'

export type CompletionListProps = {
  readonly offer: Offer
  readonly paint: RefObject<HTMLElement | null>
  readonly onChoose: (option: Option) => void
}

export function CompletionList({ offer, paint, onChoose }: CompletionListProps) {
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
