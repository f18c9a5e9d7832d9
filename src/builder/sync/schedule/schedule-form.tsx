/** A new schedule: when, and the connection that it syncs. A new connection takes what is chosen for a sync. */
import { type FormEvent, useId, useState } from 'react'
import type { SavedConnection } from '../../../server/wire/connection.ts'
import { AskError } from '../../api/ask.ts'
import { freeName } from '../../connectors/connector-names.ts'
import { inputsOf } from '../../session/inputs.ts'
import { useSession } from '../../session/use-session.tsx'
import { secretNames } from '../../test-reads/inputs/needed-inputs.ts'
import { useChoices } from '../choices/choices-store.ts'
import { chosenModes, chosenTo } from '../choices/sync-choices.ts'
import { type ScheduleDraft, scheduleOf, usualDraft } from './schedule-form-state.ts'
import { addSchedule } from './use-schedules.ts'
import { messageOf } from '../../../std/text/message-of.ts'

type Secrets = 'environment' | 'files'

export function ScheduleForm({
  connector,
  connections,
  streams,
  onDone,
}: {
  readonly connector: string
  readonly connections: readonly SavedConnection[]
  /** Undefined for all. */
  readonly streams: readonly string[] | undefined
  readonly onDone: () => void
}) {
  const id = useId()
  const choices = useChoices(connector)
  const spec = useSession(({ document }) => document.value)
  const [draft, setDraft] = useState<ScheduleDraft>(usualDraft)
  const [existing, setExisting] = useState(connections.find(({ isScheduled }) => !isScheduled)?.name ?? '')
  const [secrets, setSecrets] = useState<Secrets>('environment')
  const [state, setState] = useState<{ readonly refused?: string; readonly hint?: string; readonly isBusy?: true }>({})
  const schedule = scheduleOf(draft)
  const chosen = chosenTo(choices, connector)
  const isNew = existing === ''
  const missing = isNew && 'missing' in chosen ? chosen.missing : null
  const hasSecrets = choices.isTyped && choices.kind === 'postgres' ? true : hasSecretInputs(spec, inputsOf(connector))
  const change = (changed: Partial<ScheduleDraft>) => setDraft({ ...draft, ...changed })

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (schedule === null || missing !== null || state.isBusy === true) return
    setState({ isBusy: true })
    const name = isNew
      ? freeName(
          connector,
          connections.map((one) => one.name),
        )
      : existing
    const modes = chosenModes(choices, streams ?? Object.keys(choices.modes))
    const fresh = {
      name,
      config: { ...inputsOf(connector) },
      ...('to' in chosen && { to: chosen.to }),
      ...(streams !== undefined && { streams: [...streams] }),
      ...(modes !== undefined && { mode: modes }),
      require: choices.require,
      secrets,
    }
    try {
      await addSchedule(connector, name, schedule, isNew ? fresh : null)
      onDone()
    } catch (error) {
      const refused = messageOf(error)
      const hint = error instanceof AskError ? error.problem?.hint : undefined
      setState({ refused, ...(hint !== undefined && { hint }) })
    }
  }

  return (
    <form className="schedule-form" aria-label="New schedule" onSubmit={(event) => void submit(event)}>
      <div className="sync-choices">
        <div className="choice-field">
          <label htmlFor={`${id}-kind`}>When</label>
          <select
            id={`${id}-kind`}
            className="input"
            // The pressed button is gone: keyboard focus continues here.
            ref={(select) => {
              if (document.activeElement === document.body) select?.focus()
            }}
            value={draft.kind}
            onChange={({ target }) => change({ kind: target.value as ScheduleDraft['kind'] })}
          >
            <option value="every">At an interval</option>
            <option value="cron">By a cron expression</option>
          </select>
        </div>
        {draft.kind === 'every' ? (
          <div className="choice-field">
            <label htmlFor={`${id}-amount`}>Every</label>
            <span className="amount">
              <input
                id={`${id}-amount`}
                className="input"
                inputMode="numeric"
                value={draft.amount}
                aria-invalid={schedule === null || undefined}
                onChange={({ target }) => change({ amount: target.value })}
              />
              <select
                className="input"
                aria-label="Unit"
                value={draft.unit}
                onChange={({ target }) => change({ unit: target.value as ScheduleDraft['unit'] })}
              >
                <option value="m">minutes</option>
                <option value="h">hours</option>
                <option value="d">days</option>
              </select>
            </span>
          </div>
        ) : (
          <>
            <div className="choice-field">
              <label htmlFor={`${id}-cron`}>Cron</label>
              <input
                id={`${id}-cron`}
                className="input mono"
                spellCheck={false}
                aria-describedby={`${id}-cron-help`}
                value={draft.cron}
                onChange={({ target }) => change({ cron: target.value })}
              />
              <p className="help" id={`${id}-cron-help`}>
                Minute, hour, day, month, day of week.
              </p>
            </div>
            <div className="choice-field">
              <label htmlFor={`${id}-zone`}>Time zone</label>
              <input
                id={`${id}-zone`}
                className="input"
                spellCheck={false}
                value={draft.timezone}
                onChange={({ target }) => change({ timezone: target.value })}
              />
            </div>
          </>
        )}
        {connections.length > 0 && (
          <div className="choice-field">
            <label htmlFor={`${id}-connection`}>Connection</label>
            <select
              id={`${id}-connection`}
              className="input"
              value={existing}
              onChange={({ target }) => setExisting(target.value)}
            >
              {connections.map(({ name, isScheduled }) => (
                <option key={name} value={name}>
                  {isScheduled ? `${name} (replaces its schedule)` : name}
                </option>
              ))}
              <option value="">New connection</option>
            </select>
          </div>
        )}
        {isNew && hasSecrets && (
          <div className="choice-field wide">
            <label htmlFor={`${id}-secrets`}>Secrets</label>
            <select
              id={`${id}-secrets`}
              className="input"
              aria-describedby={`${id}-secrets-help`}
              value={secrets}
              onChange={({ target }) => setSecrets(target.value as Secrets)}
            >
              <option value="environment">From environment variables of the server</option>
              <option value="files">Store them in files of the connection</option>
            </select>
            <p className="help" id={`${id}-secrets-help`}>
              {secrets === 'files'
                ? 'On the server, readable by its user only.'
                : 'The schedule then shows the names of the variables.'}
            </p>
          </div>
        )}
      </div>
      <p className="help">
        {draft.kind === 'every' && 'The first run starts as soon as the schedule is saved. '}
        {isNew
          ? 'Uses the destination, modes, requirement, streams and inputs that are set above, and stores them as a connection.'
          : `Uses ${connections.find(({ name }) => name === existing)?.file ?? 'the connection'} as it is.`}
      </p>
      {missing !== null && <p className="refused">{missing}</p>}
      <div className="buttons">
        <button
          type="submit"
          className="button main"
          aria-disabled={schedule === null || missing !== null || state.isBusy === true || undefined}
        >
          Save schedule
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
      </div>
      {state.refused !== undefined && (
        <p className="refused" role="alert">
          {state.refused} {state.hint}
        </p>
      )}
    </form>
  )
}

function hasSecretInputs(root: unknown, inputs: Readonly<Record<string, unknown>>): boolean {
  const spec = (root as { spec?: { connection_specification?: Record<string, unknown> } } | null)?.spec
  return secretNames(spec?.connection_specification ?? null).some((name) => Object.hasOwn(inputs, name))
}
