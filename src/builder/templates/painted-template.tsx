/** A template in colours, letter for letter as wide as in the text box that lies over it. */
import { memo, type Ref } from 'react'
import { templateParts } from './template-parts.ts'

type PaintedProps = { readonly text: string; readonly ref?: Ref<HTMLDivElement> }

export const PaintedTemplate = memo(function PaintedTemplate({ text, ref }: PaintedProps) {
  return (
    <div className="painted" ref={ref} aria-hidden="true">
      {templateParts(text).map(({ kind, from, to }) =>
        kind === 'plain' ? (
          text.slice(from, to)
        ) : (
          <span key={from} className={kind}>
            {text.slice(from, to)}
          </span>
        ),
      )}
      {/* Keeps an empty line at the end, and an empty text, as high as a line. */}
      {'\u200b'}
    </div>
  )
})

/** The position on the screen of the letter at `offset`. */
export function rectAt(painted: HTMLElement, offset: number): DOMRect {
  const texts = document.createTreeWalker(painted, NodeFilter.SHOW_TEXT)
  let rest = offset
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { length } = node as Text
    if (rest < length) {
      const range = document.createRange()
      range.setStart(node, rest)
      range.setEnd(node, rest + 1)
      return range.getBoundingClientRect()
    }
    rest -= length
  }
  return painted.getBoundingClientRect()
}
