/** A button that opens a list of things to do. */
import { Menu as AriaMenu, MenuButton, MenuItem, MenuProvider, MenuSeparator } from '@ariakit/react'
import type { ReactNode } from 'react'
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

export function Menu({
  name,
  className = 'button quiet',
  face,
  choices,
  side = 'bottom-end',
}: {
  /** What a screen reader says where the face is only a drawing. */
  readonly name?: string
  readonly className?: string
  readonly face: ReactNode
  /** Null draws a line. */
  readonly choices: readonly (MenuChoice | null)[]
  readonly side?: 'bottom-start' | 'bottom-end'
}) {
  return (
    <MenuProvider placement={side}>
      <MenuButton className={className} aria-label={name} title={name}>
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
