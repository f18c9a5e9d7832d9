/** What every field is: label, control, one line of help, and what is wrong, in place. */
import { type ReactNode, useId } from 'react'
import type { Path } from '../../document/value-path.ts'
import { useProblemsAt } from '../session/use-problems.ts'
import { useFieldSpot } from '../yaml/use-field-spot.ts'
import './field.css'
import { ToYaml } from './to-yaml.tsx'
import { Worded } from './worded.tsx'

export type FieldProps = {
  /** Where in the manifest, references followed. */
  readonly at: Path
  readonly label: string
  /** What it does to the request, in one line. */
  readonly help?: ReactNode
  readonly isRequired?: boolean
  /** Where something else beside it says as much: a row of a table. */
  readonly isLabelHidden?: boolean
}

export type ControlProps = {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
  readonly 'aria-required': boolean | undefined
}

export function Field({
  at,
  label,
  help,
  isRequired = false,
  isLabelHidden = false,
  className,
  children,
}: FieldProps & { className?: string; children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const problems = useProblemsAt(at)
  const noteSpot = useFieldSpot(at, id)
  const isWrong = problems.some(({ severity }) => severity === 'error')
  const described = [help !== undefined && `${id}-help`, problems.length > 0 && `${id}-problems`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={className === undefined ? 'field' : `field ${className}`} onFocus={noteSpot}>
      <label
        htmlFor={id}
        className={isLabelHidden ? 'hidden' : undefined}
        data-optional={(!isRequired && !isLabelHidden) || undefined}
      >
        {label}
      </label>
      {isLabelHidden || <ToYaml at={at} label={label} />}
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': isWrong || undefined,
        'aria-required': isRequired || undefined,
      })}
      {help !== undefined && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {problems.length > 0 && (
        <ul className="problems" id={`${id}-problems`}>
          {problems.map(({ severity, message, hint }) => (
            <li key={message} data-severity={severity}>
              <b>{severity}</b> <Worded text={`${message} ${hint}`} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
