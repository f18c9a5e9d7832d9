/** Keeps the focus in the outline when what had it is drawn anew, or is gone. */

/**
 * Once the list is drawn anew, the row of this name has the focus; the button below the list where there is none.
 * @param within any element of the outline, or the outline itself
 */
export function focusRow(within: Element | null, name: string | null): void {
  const outline = within?.closest('.outline')
  requestAnimationFrame(() => {
    const rows = [...(outline?.querySelectorAll<HTMLElement>('.stream') ?? [])]
    const found = rows.find((row) => nameIn(row) === name)?.querySelector<HTMLElement>('a.entry')
    const target = found ?? outline?.querySelector<HTMLElement>('.entry.add')
    target?.focus()
  })
}

/** The same where what had the focus is gone, so that the next Tab does not start at the top of the page. */
export function focusRowIfLost(name: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusRow(document.querySelector('.outline'), name)
  })
}

/** The name of the stream in a row. */
export function nameIn(row: Element | null | undefined): string | null {
  return row?.querySelector('.name')?.textContent ?? null
}
