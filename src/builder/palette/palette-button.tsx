/** The button and the key of the palette; the palette itself is loaded after the page, or when it is opened first. */
import { useState } from 'react'
import { Icon } from '../icons.tsx'
import { keyLabel, useKeys } from '../keys/use-keys.ts'
import { lazyPart } from '../lazy-part.tsx'
import { setTheme, themes } from '../theme/theme.ts'
import type { Command } from './commands.ts'
import { useCommands } from './offered.ts'

const Palette = lazyPart(() => import('./palette.tsx').then((loaded) => loaded.Palette), { waiting: null })

const themeLabels = { system: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' }

export function PaletteButton() {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const open = () => {
    setOpened(true)
    setOpen(true)
  }
  useKeys({ 'mod+k': open })
  useCommands(() =>
    themes.map(
      (theme): Command => ({
        id: `theme ${theme}`,
        group: 'Appearance',
        label: themeLabels[theme],
        words: 'colours appearance',
        run: () => setTheme(theme),
      }),
    ),
  )
  return (
    <>
      <button
        type="button"
        className="button quiet icon-only"
        aria-label="Find anything"
        aria-keyshortcuts="Control+K Meta+K"
        title={`Find anything (${keyLabel('mod+k')})`}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon name="search" />
      </button>
      {wasOpened && <Palette isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}
