/** Search over the docs: the index is loaded once, the results are a list that the keyboard can use. */
import MiniSearch, { type SearchResult } from 'minisearch'
import { type SearchedPart, searchOptions } from '../docs/search-options.ts'

const most = 8

export async function openSearch(field: HTMLInputElement, box: HTMLElement): Promise<void> {
  const list = box.querySelector<HTMLElement>('[role=listbox]')
  const status = box.querySelector<HTMLElement>('[role=status]')
  if (list === null || status === null) return
  const index = await loadIndex()
  if (index === null) {
    status.textContent = 'The search could not be loaded. Reload the page to try again.'
    box.classList.add('empty')
    return
  }
  let active = -1

  const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')]

  const choose = (next: number) => {
    active = next
    for (const [at, option] of options().entries()) option.setAttribute('aria-selected', String(at === active))
    const chosen = options()[active]
    chosen?.scrollIntoView({ block: 'nearest' })
    if (chosen === undefined) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', chosen.id)
  }

  const close = () => {
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
    choose(-1)
  }

  const show = () => {
    const words = field.value.trim()
    if (words === '') {
      status.textContent = ''
      list.replaceChildren()
      return close()
    }
    const found = index.search(words).slice(0, most)
    list.replaceChildren(...found.map(optionOf))
    list.hidden = found.length === 0
    field.setAttribute('aria-expanded', String(found.length > 0))
    status.textContent = found.length === 0 ? `Nothing found for “${words}”` : `${found.length} results`
    box.classList.toggle('empty', found.length === 0)
    choose(found.length === 0 ? -1 : 0)
  }

  field.addEventListener('input', show)
  field.addEventListener('focus', show)
  field.addEventListener('keydown', (event) => {
    const { length } = options()
    if (event.key === 'Escape') {
      field.value = ''
      show()
      field.blur()
    } else if (event.key === 'ArrowDown' && length > 0) choose((active + 1) % length)
    else if (event.key === 'ArrowUp' && length > 0) choose((active - 1 + length) % length)
    else if (event.key === 'Enter') options()[active]?.click()
    else return
    event.preventDefault()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !box.contains(target)) close()
  })
  list.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null
    if (option?.dataset.href === undefined) return
    location.assign(option.dataset.href)
    // The address may be another part of this very page.
    close()
  })
  show()
}

async function loadIndex(): Promise<MiniSearch<SearchedPart> | null> {
  try {
    const response = await fetch('/docs/search.json')
    return response.ok ? MiniSearch.loadJSON<SearchedPart>(await response.text(), searchOptions) : null
  } catch {
    return null
  }
}

function optionOf({ id, page, heading, start }: SearchResult, at: number): HTMLElement {
  const option = document.createElement('li')
  option.id = `found-${at}`
  option.setAttribute('role', 'option')
  option.dataset.href = String(id)
  const add = (name: string, text: unknown) => {
    const part = document.createElement(name)
    part.textContent = String(text)
    option.append(part)
  }
  add('strong', heading)
  if (heading !== page) add('em', page)
  add('span', start)
  return option
}
