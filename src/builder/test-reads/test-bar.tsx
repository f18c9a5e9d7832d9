/** Test, cancel, and how much to read at most. */
import { useId, useState } from 'react'
import { count } from '../../std/text/format-count.ts'
import { useDiagnosis, useSurvey } from '../proofs/use-proofs.ts'
import { useStreams } from '../editor/use-streams.ts'
import { Icon } from '../icons.tsx'
import { keyLabel } from '../keys/use-keys.ts'
import { Menu } from '../menu/menu.tsx'
import { useFollowed } from '../session/use-field.ts'
import { type TestLimits, most, setLimits, useLimits } from './test-limits.ts'
import { useReading } from './read-store.ts'
import type { Testing } from './use-test.ts'

export function TestBar({ stream, testing }: { stream: string; testing: Testing }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { maxPages } = useLimits()
  const isReading = useReading()?.status === 'reading'
  const isSliced = useIsSliced(stream)
  return (
    <div className="run-bar">
      <div className="run">
        <button
          type="button"
          className="button main"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          title={`Test ${stream} (${keyLabel('mod+enter')})`}
          onClick={testing.start}
        >
          <PlayIcon />
          <span>Test</span>
          <span className="tested">{stream}</span>
        </button>
        <button
          type="button"
          className="button cancel"
          disabled={!isReading}
          aria-keyshortcuts="Escape"
          title="Cancel (Esc)"
          onClick={testing.cancel}
        >
          <StopIcon />
          Cancel
        </button>
        <MoreTests stream={stream} />
        <button
          type="button"
          className="button quiet limits-button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <span className="turn" />
          up to {count(maxPages, 'page')}
          {isSliced && <span className="per-slice"> per slice</span>}
        </button>
      </div>
      {isOpen && <LimitFields id={id} />}
    </div>
  )
}

/** Whether the pages of a test may be those of several slices. */
function useIsSliced(name: string): boolean {
  const path = useStreams().find((stream) => stream.name === name)?.path ?? []
  const { value: router } = useFollowed([...path, 'retriever', 'partition_router'])
  const { value: cursor } = useFollowed([...path, 'incremental_sync'])
  return Boolean(router ?? cursor)
}

/** What finds out more than a test: why records are missing, and what would happen if the API went wrong. */
function MoreTests({ stream }: { stream: string }) {
  const { start: diagnose } = useDiagnosis(stream)
  const { start: survey } = useSurvey(stream)
  return (
    <Menu
      name="More tests"
      side="bottom-start"
      className="button quiet icon-only"
      face={<Icon name="more" />}
      choices={[
        { label: 'Find out what is wrong', onChoose: diagnose },
        { label: 'Stress test: a misbehaving API', onChoose: survey },
      ]}
    />
  )
}

const fields: readonly { readonly key: keyof TestLimits; readonly label: string }[] = [
  { key: 'maxPages', label: 'Pages per slice' },
  { key: 'maxSlices', label: 'Slices' },
  { key: 'maxRecords', label: 'Records' },
]

function LimitFields({ id }: { id: string }) {
  const limits = useLimits()
  return (
    <div className="limits appears" id={id} role="group" aria-label="Read at most">
      {fields.map(({ key, label }) => (
        <LimitField
          key={key}
          label={label}
          value={limits[key]}
          greatest={most[key]}
          onChange={(value) => setLimits({ ...limits, [key]: value })}
        />
      ))}
    </div>
  )
}

/** What is typed stays as typed until it is left: `1` on the way to `15` is no limit yet. */
function LimitField({
  label,
  value,
  greatest,
  onChange,
}: {
  label: string
  value: number
  greatest: number
  onChange: (value: number) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <label>
      <span>{label}</span>
      <input
        className="input"
        type="number"
        inputMode="numeric"
        min={1}
        max={greatest}
        value={typed ?? value}
        onChange={({ target }) => {
          setTyped(target.value)
          if (target.value !== '') onChange(Math.round(Number(target.value)))
        }}
        onBlur={() => setTyped(null)}
      />
    </label>
  )
}

function PlayIcon() {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <path d="M1.5 0.5 L9 5 L1.5 9.5 Z" fill="currentColor" />
    </svg>
  )
}

function StopIcon() {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <rect x="1" y="1" width="8" height="8" rx="1" fill="currentColor" />
    </svg>
  )
}
