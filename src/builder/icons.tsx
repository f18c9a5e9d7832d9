/** Small icons next to words. They are decoration: every control has its own name. */

const drawings = {
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  plus: 'M8 3v10M3 8h10',
  more: 'M3.5 8h.01M8 8h.01M12.500 8h.01',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  dot: 'M8 8h.01',
  undo: 'M6 3L3 6l3 3M3.500 6H9a4 4 0 0 1 0 8H6',
  redo: 'M10 3l3 3-3 3M12.500 6H7a4 4 0 0 0 0 8h3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3',
  warning: 'M8 2.500l6 10.500H2zM8 6.500v3M8 11.200h.01',
  system: 'M2.500 3h11v8h-11zM6 14h4M8 11v3',
  light:
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  dark: 'M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7z',
  list: 'M2.500 4h11M2.500 8h11M2.500 12h7',
  file: 'M4 1.500h5L12.500 5v9.500h-8.500zM9 1.500V5h3.500',
  terminal: 'M2 3h12v10H2zM4.500 6l2 2-2 2M8 10h3',
  leaf: 'M3.500 2.500H9A4.500 4.500 0 0 1 13.500 7v6.500H8A4.500 4.500 0 0 1 3.500 9zM6 5l7.500 8.500',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3l2 1.500',
  close: 'M4 4l8 8M12 4l-8 8',
} as const

export type IconName = keyof typeof drawings

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" data-name={name} width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  )
}

/** The mark: a sheet whose corner turns into a leaf. */
export function Mark() {
  return (
    <svg className="mark" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M5 3h9a7 7 0 0 1 7 7v11h-9a7 7 0 0 1-7-7z" />
      <path d="M9.5 7.500 21 21" />
    </svg>
  )
}
