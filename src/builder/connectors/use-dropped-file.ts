/** A file that is dropped anywhere on the page. */
import { useEffect, useRef, useState } from 'react'
import { goTo } from '../router.ts'

let handed: File | null = null

/** Opens the list of connectors with a file that was dropped elsewhere. */
export function importDropped(file: File): void {
  handed = file
  goTo({ connector: null, part: null, view: 'form' })
}

/** The file that the list was opened with; once. */
export function takeHanded(): File | null {
  const file = handed
  handed = null
  return file
}

/** @returns whether a file is being dragged over the page. */
export function useDroppedFile(take: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFile(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      // Leaving one element for another of the page is no leaving.
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFile(event)) return
      setOver(false)
      // The editor of the text takes the text of a file itself.
      if (event.defaultPrevented) return
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) latest.current(file)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

/** Text that is dragged into a field belongs to the field. */
function hasFile({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}
