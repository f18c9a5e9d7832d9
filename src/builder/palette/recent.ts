/** What was chosen lately in the palette, the latest first; kept by this browser. */
import { recall, remember } from '../local-storage.ts'

const key = 'recent-commands'
const most = 20

export function recentCommands(): readonly string[] {
  return (recall(key) ?? '').split('\n').filter((id) => id !== '')
}

export function noteCommand(id: string): void {
  const others = recentCommands().filter((one) => one !== id)
  remember(key, [id, ...others].slice(0, most).join('\n'))
}
