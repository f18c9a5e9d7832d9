/** Three small buttons: as the system has it, light, dark. */
import { Icon } from '../icons.tsx'
import { setTheme, themes, useTheme } from './theme.ts'
import './theme-switch.css'

const labels = { system: 'System', light: 'Light', dark: 'Dark' }

export function ThemeSwitch() {
  const theme = useTheme()
  return (
    <div className="theme-switch" role="group" aria-label="Theme">
      {themes.map((one) => (
        <button
          key={one}
          type="button"
          aria-label={labels[one]}
          title={labels[one]}
          aria-pressed={one === theme}
          onClick={() => setTheme(one)}
        >
          <Icon name={one} />
        </button>
      ))}
    </div>
  )
}
