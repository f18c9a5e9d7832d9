/** A page of the docs: copy buttons, and search that is loaded when it is used. */

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
  if (navigator.clipboard === undefined) break
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling?.textContent?.trimEnd() ?? '')
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
}

const field = document.querySelector<HTMLInputElement>('#search')
const box = document.querySelector<HTMLElement>('.search')

if (field !== null && box !== null) {
  box.hidden = false
  let loading: Promise<void> | undefined
  const load = () => {
    loading ??= import('./search.ts').then(({ openSearch }) => openSearch(field, box))
    return loading
  }
  field.addEventListener('focus', () => void load(), { once: true })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}
