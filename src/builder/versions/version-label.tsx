/** What a version is called, changed in its row: "works with API v2". */
import { useEffect, useRef, useState } from 'react'
import { AskError } from '../api/ask.ts'
import { nameVersion } from '../api/connectors.ts'
import { askAgain } from '../api/queries.ts'
import { showNotice } from '../notice/notices.ts'
import { exactly } from '../relative-time.ts'

type Labelled = {
  readonly name: string
  readonly version: string
  readonly savedAt: string
  readonly label: string | null
}

export function VersionLabelButton(labelled: Labelled) {
  const [isEditing, setEditing] = useState(false)
  const { savedAt, label } = labelled
  const button = useRef<HTMLButtonElement>(null)
  const end = () => {
    setEditing(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  if (isEditing) return <LabelForm {...labelled} onEnd={end} />
  return (
    <button
      ref={button}
      type="button"
      className="button quiet small"
      aria-label={`${label === null ? 'Add label to' : 'Change label of'} the version of ${exactly(savedAt)}`}
      onClick={() => setEditing(true)}
    >
      {label === null ? 'Add label' : 'Change label'}
    </button>
  )
}

function LabelForm({ name, version, savedAt, label, onEnd }: Labelled & { readonly onEnd: () => void }) {
  const [text, setText] = useState(label ?? '')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])

  async function keep(): Promise<void> {
    try {
      await nameVersion(name, version, text)
      await askAgain(['versions', name])
      onEnd()
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      showNotice({ text: error.message })
    }
  }

  return (
    <form
      className="label-form"
      onSubmit={(event) => {
        event.preventDefault()
        void keep()
      }}
    >
      <input
        ref={field}
        className="input"
        aria-label={`Label of the version of ${exactly(savedAt)}`}
        placeholder="works with API v2"
        value={text}
        maxLength={120}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onEnd()
        }}
      />
      <button type="submit" className="button small main">
        Keep
      </button>
    </form>
  )
}
