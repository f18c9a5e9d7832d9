/** As the page is left, stores what of its test configs survives a reload. */
import { stringifyJson } from '../../std/json.ts'
import { storeTabConfigs, tabConfigsOf } from './inputs.ts'
import { reloadable } from './reloaded-configs.ts'
import type { SessionStore } from './session.ts'
import { startConfigs } from './tab-configs.ts'

/** Until the returned function is called. */
export function keepForReload(session: SessionStore): () => void {
  function store(): void {
    const { name, document } = session.get()
    const all = tabConfigsOf(name)
    storeTabConfigs(name, all === startConfigs ? null : stringifyJson(reloadable(all, document.value)))
  }
  window.addEventListener('pagehide', store)
  return () => {
    window.removeEventListener('pagehide', store)
    store()
  }
}
