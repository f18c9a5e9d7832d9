/** The names of the sync modes, as they are written in options, files and requests. */

/** In the order in which they are offered. */
export const syncModes = [
  'full_refresh_overwrite',
  'full_refresh_append',
  'full_refresh_dedup',
  'incremental_append',
  'incremental_dedup',
] as const

export type SyncMode = (typeof syncModes)[number]
