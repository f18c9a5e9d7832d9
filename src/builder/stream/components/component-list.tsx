/** Parts of one kind or several, in an order that counts: each with its fields, moved and removed in place. */
import { type ReactNode, useRef } from 'react'
import type { Members } from '../../../std/values/objects.ts'
import { appendResolved, moveItemResolved, removeItemResolved } from '../../../document/edit-resolved.ts'
import type { Path } from '../../../document/value-path.ts'
import { InYaml } from '../../fields/in-yaml.tsx'
import { Menu } from '../../menu/menu.tsx'
import { useField } from '../../session/use-field.ts'
import { useSessionStore } from '../../session/use-session.tsx'
import './component-list.css'
import { ComponentFrame } from './component-frame.tsx'

export type NewComponent = { readonly label: string; readonly make: () => Members; readonly isOff?: boolean }

export function ComponentList({
  at,
  label,
  help,
  one,
  offered,
  titleOf,
  keepsEmpty = false,
  children,
}: {
  at: Path
  label: string
  help?: ReactNode
  /** What one of them is called: "filter". */
  one: string
  offered: readonly NewComponent[]
  titleOf: (item: unknown) => string
  keepsEmpty?: boolean
  children: (item: unknown, at: Path) => ReactNode
}) {
  const { value } = useField(at)
  const store = useSessionStore()
  const list = useRef<HTMLFieldSetElement>(null)
  if (value !== undefined && value !== null && !Array.isArray(value)) return <InYaml what={label} />
  const items: readonly unknown[] = value ?? []
  const edit = (change: (text: string) => string) => store.edit(change(store.get().document.text))
  const add = ({ make }: NewComponent) => edit((text) => appendResolved(text, at, make()))

  function remove(index: number): void {
    edit((text) => removeItemResolved(text, at, index, keepsEmpty))
    // The button that had the focus is gone with its part.
    list.current?.querySelector<HTMLElement>(':scope > .add .button')?.focus()
  }

  return (
    <fieldset className="component-list" ref={list}>
      <legend>{label}</legend>
      {help !== undefined && <p className="help">{help}</p>}
      {items.map((item, index) => (
        <ComponentFrame
          key={index}
          title={titleOf(item)}
          position={items.length > 1 ? index + 1 : null}
          onMove={(by) => edit((text) => moveItemResolved(text, at, index, index + by))}
          onRemove={() => remove(index)}
        >
          {children(item, [...at, index])}
        </ComponentFrame>
      ))}
      <AddButton one={one} offered={offered.filter(({ isOff }) => isOff !== true)} onAdd={add} />
    </fieldset>
  )
}

function AddButton({
  one,
  offered,
  onAdd,
}: {
  one: string
  offered: readonly NewComponent[]
  onAdd: (component: NewComponent) => void
}) {
  const [only] = offered
  if (only === undefined) return null
  const face = (
    <>
      <span aria-hidden="true">+</span> Add {one}
    </>
  )
  return (
    <div className="add">
      {offered.length === 1 ? (
        <button type="button" className="button quiet small" onClick={() => onAdd(only)}>
          {face}
        </button>
      ) : (
        <Menu
          className="button quiet small"
          face={face}
          side="bottom-start"
          choices={offered.map((component) => ({ label: component.label, onChoose: () => onAdd(component) }))}
        />
      )}
    </div>
  )
}
