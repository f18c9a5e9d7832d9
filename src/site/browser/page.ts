/** A page of the docs: copy buttons, and search that is loaded when it is used. */

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
  if (navigator.clipboard === undefined) break
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(toPaste(button.previousElementSibling?.textContent ?? ''))
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
}

/** Of a terminal session only the commands: a shell would run the prompt and the output, too. */
function toPaste(code: string): string {
  const commands = code.split('\n').filter((line) => line.startsWith('$ '))
  return commands.length === 0 ? code.trimEnd() : commands.map((line) => line.slice(2)).join('\n')
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
