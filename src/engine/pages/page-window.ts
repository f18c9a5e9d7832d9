/** How many pages are under way at a time: more with every full page, fewer when the API refuses them or the process has no time for them. */

export type PageWindow = {
  size(): number
  /** `isFull`: another page is likely to follow. */
  pageRead(isFull: boolean): void
  /** A page ahead failed. */
  failed(half: number): void
}

/** Above this share of its time a process does nothing but read: an API that responds faster only fills its memory. */
const busy = 0.95

/** A page that is read, and one that arrives meanwhile. */
const fewestWhenBusy = 2

/**
 * The window starts at one page and doubles with every full page. Pages ahead that fail halve it, and from then on it grows
 * slowly. `mindsLoad`: it also halves while the process has no time to spare.
 */
export function openPageWindow(most: number, mindsLoad: boolean): PageWindow {
  const load = mindsLoad ? openLoad() : null
  let size = 1
  let hasFailed = false
  return {
    size: () => size,
    pageRead(isFull) {
      const spare = load?.afterPages(size) ?? 'some'
      if (spare === 'none') size = Math.min(size, Math.max(fewestWhenBusy, size / 2))
      if (spare !== 'some' || !isFull) return
      size = Math.min(hasFailed ? size + 1 / size : size * 2, most)
    },
    failed(half) {
      hasFailed = true
      size = Math.max(1, Math.min(size, half))
    },
  }
}

/**
 * Whether the process has time to spare. Measured over as many pages as were requested together: a slow API answers them at
 * once, and between two of them there is never time to spare. Once the process was busy, one short wait is no reason to
 * request many pages: what is not measured changes nothing.
 */
function openLoad() {
  let since = performance.eventLoopUtilization()
  let pages = 0
  let wasBusy = false
  return {
    afterPages(size: number): 'some' | 'none' | 'unchanged' {
      if (++pages < size) return wasBusy ? 'unchanged' : 'some'
      const now = performance.eventLoopUtilization()
      const isBusy = performance.eventLoopUtilization(now, since).utilization > busy
      ;[since, pages] = [now, 0]
      wasBusy ||= isBusy
      return isBusy ? 'none' : 'some'
    },
  }
}
