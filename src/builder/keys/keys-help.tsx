/** The keys there are, on one card: `?` opens it, Esc closes it. */
import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react'
import { useState } from 'react'
import { Icon } from '../icons.tsx'
import { useCommands } from '../palette/offered.ts'
import { keyLabel, useKeys } from './use-keys.ts'
import './keys-help.css'

const keys: readonly [name: string, does: string][] = [
  ['mod+k', 'Find a stream, an action or a page of the docs'],
  ['mod+enter', 'Test the stream'],
  ['mod+s', 'Save'],
  ['mod+z', 'Undo'],
  ['mod+shift+z', 'Redo'],
  ['/', 'Search connectors, filter streams'],
  ['escape', 'Close, or cancel a test'],
  ['alt+↑', 'Move a stream up'],
  ['alt+↓', 'Move a stream down'],
  ['f2', 'Rename a stream'],
  ['delete', 'Delete a stream'],
  ['?', 'These keys'],
]

export function KeysButton() {
  const [isOpen, setOpen] = useState(false)
  useKeys({ '?': () => setOpen(true) })
  useCommands(() => [
    { id: 'keys', group: 'Actions', label: 'Show the keys', words: 'shortcuts help', run: () => setOpen(true) },
  ])
  return (
    <>
      <button
        type="button"
        className="button quiet icon-only"
        aria-label="Keys"
        title="Keys"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <kbd>?</kbd>
      </button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        className="keys-help appears"
        backdrop={<div className="backdrop" />}
      >
        <header>
          <DialogHeading>Keys</DialogHeading>
          <DialogDismiss className="button quiet icon-only" aria-label="Close">
            <Icon name="close" />
          </DialogDismiss>
        </header>
        <dl>
          {keys.map(([name, does]) => (
            <div key={name}>
              <dt>
                {name.split('+').map((part) => (
                  <kbd key={part}>{keyLabel(part)}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}
