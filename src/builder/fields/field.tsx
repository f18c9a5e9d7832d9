/** What every field is: label, control, one line of help, and what is wrong, in place. */
import { type ReactNode, useEffect, useId } from 'react'
import { type Path, pathOf, pointerOf } from '../../document/value-path.ts'
import { ToYaml } from './to-yaml.tsx'
import { Worded } from './inline-code.tsx'
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { follow } from '../../document/follow.ts'
import { useInspection } from '../session/use-inspection.ts'
import { useFollowed } from '../session/use-field.ts'
import { useOfManifest } from '../session/use-session.tsx'
import { fieldWords } from '../yaml/place-words.ts'
import { listField, noteSpot, onWish, takeWish, type YamlTarget } from '../yaml/yaml-target.ts'
import './field.css'

export type FieldProps = {
  /** Where in the manifest, references followed. */
  readonly at: Path
  readonly label: string
  /** What it does to the request, in one line. */
  readonly help?: ReactNode
  readonly isRequired?: boolean
  /** Where something next to it says as much: a row of a table. */
  readonly isLabelHidden?: boolean
  /** What is wrong with the value, where the form knows it by itself. */
  readonly fault?: string | null
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
  fault = null,
  className,
  children,
}: FieldProps & { className?: string; children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const reported = useProblemsAt(at, label)
  const problems = fault === null ? reported : [{ severity: 'error' as const, message: fault, hint: '' }]
  const noteFocus = useFieldSpot(at, id)
  const isWrong = problems.some(({ severity }) => severity === 'error')
  const described = [help !== undefined && `${id}-help`, problems.length > 0 && `${id}-problems`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={className === undefined ? 'field' : `field ${className}`} onFocus={noteFocus}>
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

const none: readonly ManifestProblem[] = []

/** The problem of a missing key is reported at its parent; it is shown where the key would be typed. */
function useProblemsAt(path: Path, label: string): readonly ManifestProblem[] {
  const problems = useInspection()?.problems ?? none
  const { value, writtenAt } = useFollowed(path)
  const holderAt = path.slice(0, -1)
  const holder = useOfManifest((root) => pointerOf(follow(root, holderAt).writtenAt), pointerOf(holderAt))
  const pointer = pointerOf(writtenAt)
  const isMissing = ({ code, message, at }: ManifestProblem) =>
    code === 'manifest/missing-field' && at.pointer === holder && message.includes(`\`${path.at(-1)}\``)
  return problems.flatMap((problem) => {
    // The form has a name for it; the key is for the text.
    if (value === undefined && isMissing(problem)) return [{ ...problem, message: `${label} is required.`, hint: '' }]
    return problem.at.pointer === pointer ? [{ ...problem, ...fieldWords(problem) }] : []
  })
}

/** @returns to be called when the field is edited, so that the YAML view opens there. */
function useFieldSpot(at: Path, controlId: string): () => void {
  const { writtenAt } = useFollowed(at)
  const pointer = pointerOf(writtenAt)
  useEffect(() => {
    const go = () => {
      if (takeWish('form', (target) => isWithin(target, pointer)) !== null) focusField(controlId)
    }
    go()
    const stopListening = onWish(go)
    const unlist = listField({ at: pathOf(pointer), go: () => focusField(controlId) })
    return () => {
      stopListening()
      unlist()
    }
  }, [pointer, controlId])
  return () => noteSpot(writtenAt)
}

function focusField(controlId: string): void {
  const control = document.getElementById(controlId)
  control?.scrollIntoView({ block: 'center' })
  control?.focus()
}

/** The cursor may be deeper in the text than the form has fields, such as in a name of a path. */
function isWithin(target: YamlTarget, pointer: string): boolean {
  if (!('path' in target)) return false
  const wished = pointerOf(target.path)
  return wished === pointer || wished.startsWith(`${pointer}/`)
}
