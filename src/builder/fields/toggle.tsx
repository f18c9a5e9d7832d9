/** Something that is there or not: a switch, and what it opens in place. */
import { type ReactNode, useId } from 'react'
import './toggle.css'

export function Toggle({
  label,
  help,
  isOn,
  onSwitch,
  children,
}: {
  label: string
  help?: ReactNode
  isOn: boolean
  onSwitch: (isOn: boolean) => void
  /** Shown while it is on. */
  children?: ReactNode
}) {
  const id = useId()
  return (
    <div className="toggle">
      <div className="field switch-field">
        <label htmlFor={id}>{label}</label>
        <input
          id={id}
          type="checkbox"
          role="switch"
          className="switch"
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          checked={isOn}
          onChange={({ target }) => onSwitch(target.checked)}
        />
        {help !== undefined && (
          <p className="help" id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
      {isOn && children !== undefined && (
        <div className="opened appears" role="group" aria-label={label}>
          {children}
        </div>
      )}
    </div>
  )
}
