/** A button that opens a list of things to do. */
import { Menu as AriaMenu, MenuButton, MenuItem, MenuProvider, MenuSeparator } from '@ariakit/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from '../icons.tsx'
import './menu.css'

export type MenuChoice = {
  readonly label: string
  readonly icon?: IconName
  /** A key, or a word about what it does. */
  readonly hint?: string
  readonly isHarmful?: boolean
  readonly isOff?: boolean
  readonly onChoose: () => void
}

type Props = {
  /** What a screen reader says where the face is only a drawing. */
  readonly name?: string
  readonly className?: string
  readonly face: ReactNode
  /** Null draws a line. */
  readonly choices: readonly (MenuChoice | null)[]
  readonly side?: 'bottom-start' | 'bottom-end'
}

/** A plain button until it is first used: a list of five hundred rows would take a second to draw with all their menus. */
export function Menu(props: Props) {
  const [isUsed, setUsed] = useState(false)
  if (isUsed) return <UsedMenu {...props} />
  const { name, className = 'button quiet', face } = props
  return (
    <button
      type="button"
      className={className}
      aria-label={name}
      aria-haspopup="menu"
      aria-expanded={false}
      title={name}
      onClick={() => setUsed(true)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        setUsed(true)
      }}
    >
      {face}
    </button>
  )
}

function UsedMenu({ name, className = 'button quiet', face, choices, side = 'bottom-end' }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // What the plain button was asked for.
    button.current?.focus()
    button.current?.click()
  }, [])
  return (
    <MenuProvider placement={side}>
      <MenuButton ref={button} className={className} aria-label={name} title={name}>
        {face}
      </MenuButton>
      {/* Fixed, so that no column cuts it off; not in a portal, which adds focusable elements that are invisible. */}
      <AriaMenu className="menu" gutter={4} fixed unmountOnHide>
        {choices.map((choice, index) =>
          choice === null ? (
            <MenuSeparator key={`line-${index}`} className="line" />
          ) : (
            <Choice key={choice.label} {...choice} />
          ),
        )}
      </AriaMenu>
    </MenuProvider>
  )
}

function Choice({ label, icon, hint, isHarmful = false, isOff = false, onChoose }: MenuChoice) {
  return (
    <MenuItem className="choice" data-harmful={isHarmful || undefined} disabled={isOff} onClick={onChoose}>
      {icon !== undefined && <Icon name={icon} />}
      <span className="label">{label}</span>
      {hint !== undefined && <span className="hint">{hint}</span>}
    </MenuItem>
  )
}
