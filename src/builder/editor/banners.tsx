/** Banners between the header and the columns: leaving, a draft, a change made elsewhere, YAML that cannot be read. */
import { useState } from 'react'
import { Difference } from '../difference/difference.tsx'
import { discardDraft, draftFor, restoreDraft, type SavedDraft } from '../session/draft.ts'
import { save, useSaveState } from '../session/saving.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { ago } from '../relative-time.ts'
import { Banner } from './banner.tsx'
import { useLeaving } from './use-leaving.ts'
import { useRoute } from '../router.ts'
import { showInYaml } from '../yaml/yaml-target.ts'

export function Banners() {
  return (
    <div className="banners">
      <LeavingBanner />
      <ForeignBanner />
      <FailedBanner />
      <GoneBanner />
      <UnreadableBanner />
      <DraftBanner />
    </div>
  )
}

function LeavingBanner() {
  const store = useSessionStore()
  const name = useSession((session) => session.name)
  const leaving = useLeaving(store)
  if (leaving === null) return null
  return (
    <Banner tone="warning" words={`${name} has unsaved changes.`}>
      {/* The question came from a click elsewhere: the answer should be one key away. */}
      <button ref={focusOnce} type="button" className="button main small" onClick={leaving.saveAndLeave}>
        Save and leave
      </button>
      <button type="button" className="button small" onClick={leaving.leave}>
        Leave without saving
      </button>
      <button type="button" className="button quiet small" onClick={leaving.stay}>
        Stay
      </button>
    </Banner>
  )
}

function focusOnce(button: HTMLButtonElement | null): void {
  button?.focus()
}

function ForeignBanner() {
  const store = useSessionStore()
  const { foreign, text, name } = useSession((session) => session)
  const [isShown, setShown] = useState(false)
  if (foreign === null) return null
  return (
    <Banner
      tone="warning"
      words={`${name} was changed elsewhere: on disk or in another tab. Your changes are not saved.`}
      detail={isShown && <Difference before={text} after={foreign.text} beforeName="yours" afterName="theirs" />}
    >
      <button type="button" className="button small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide the difference' : 'Show the difference'}
      </button>
      <button type="button" className="button small" onClick={store.takeForeign}>
        Take theirs
      </button>
      <button type="button" className="button small" onClick={store.keepOurs}>
        Keep mine
      </button>
    </Banner>
  )
}

function FailedBanner() {
  const store = useSessionStore()
  const state = useSaveState()
  if (state.kind !== 'failed') return null
  return (
    <Banner tone="warning" words={`Not saved. ${state.message}`}>
      <button type="button" className="button small" onClick={() => void save(store)}>
        Try again
      </button>
    </Banner>
  )
}

function GoneBanner() {
  const store = useSessionStore()
  const { isGone, name } = useSession((session) => session)
  if (!isGone) return null
  return (
    <Banner tone="warning" words={`${name} was deleted elsewhere. What you see is still here.`}>
      <button type="button" className="button small" onClick={() => void save(store)}>
        Save it again
      </button>
    </Banner>
  )
}

function DraftBanner() {
  const store = useSessionStore()
  const [draft, setDraft] = useState<SavedDraft | null>(() => draftFor(store))
  const [isShown, setShown] = useState(false)
  const { name, text } = useSession((session) => session)
  if (draft === null || draft.text === text) return null
  return (
    <Banner
      words={`There are changes to ${name} that were not saved, typed ${ago(draft.writtenAt)}.`}
      detail={isShown && <Difference before={text} after={draft.text} beforeName="now" afterName="not saved" />}
    >
      <button
        type="button"
        className="button small"
        onClick={() => {
          restoreDraft(store, draft)
          setDraft(null)
        }}
      >
        Restore them
      </button>
      <button type="button" className="button small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide the difference' : 'Show the difference'}
      </button>
      <button
        type="button"
        className="button quiet small"
        onClick={() => {
          discardDraft(draft)
          // Another tab may have left one too.
          setDraft(draftFor(store))
        }}
      >
        Discard
      </button>
    </Banner>
  )
}

function UnreadableBanner() {
  const store = useSessionStore()
  const { view } = useRoute()
  const { trouble, document } = useSession((session) => session)
  // In the YAML view the line itself is marked.
  if (trouble === null || view === 'yaml') return null
  const { line, column } = trouble
  return (
    <Banner tone="warning" words={`The YAML cannot be read at line ${line}. Fix it to use the form.`}>
      <button type="button" className="button small" onClick={() => showInYaml({ line, column })}>
        Show line {line} in YAML
      </button>
      {document.problem === null && (
        <button type="button" className="button small" onClick={() => store.edit(document.text)}>
          Go back to the last readable version
        </button>
      )}
    </Banner>
  )
}
