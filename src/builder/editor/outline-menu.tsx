/** On a phone the outline is a menu that shows the name of what is open. */
import { Disclosure, DisclosureContent, DisclosureProvider } from '@ariakit/react'
import { useState } from 'react'
import { Icon } from '../icons.tsx'
import { Outline } from './outline.tsx'
import type { OutlinePart } from './outline-parts.ts'
import type { StreamPlace } from './use-streams.ts'

export function OutlineMenu({
  streams,
  part,
  label,
}: {
  readonly streams: readonly StreamPlace[]
  readonly part: OutlinePart
  readonly label: string
}) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    // Move the focus to what was chosen, below the menu.
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  return (
    <DisclosureProvider open={isOpen} setOpen={setOpen}>
      <Disclosure className="button outline-button">
        <Icon name="list" />
        <span className="text">{label}</span>
        <Icon name="down" />
      </Disclosure>
      <DisclosureContent
        className="outline-menu appears"
        render={<nav aria-label="Settings and streams" />}
        unmountOnHide
        onKeyDown={(event) => {
          if (event.key === 'Escape') setOpen(false)
        }}
      >
        <Outline streams={streams} part={part} onChosen={close} />
      </DisclosureContent>
    </DisclosureProvider>
  )
}
