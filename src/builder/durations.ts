/** Milliseconds and bytes as people read them. */

/** `34 ms`, `1.2 s`, `2 min 5 s` */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Without `.0`, where figures need not be aligned: `2 s` */
export function roundDuration(ms: number): string {
  return duration(ms).replace('.0 ', ' ')
}

/** Whole seconds, so that what counts down does not flicker: `12 s` */
export function secondsLeft(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1000))} s`
}

/** `812 B`, `64 KB`, `49.8 MB` */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
