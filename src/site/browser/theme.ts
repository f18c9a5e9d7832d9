/** Remembers the colours chosen with the switch. Loaded by every page, right after the switch. */
const key = 'turnleaf-theme'

try {
  const button = document.getElementById(`theme-${localStorage.getItem(key)}`)
  if (button instanceof HTMLInputElement) button.checked = true
  addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'theme') localStorage.setItem(key, target.value)
  })
} catch {
  // Without storage the switch works for this page only.
}
