/** Work that may read the config → whether it fails whatever the config is. */
import type { Config } from '../engine/plan/plan.ts'
import { ConnectorError } from '../std/errors.ts'

/**
 * The error that this work ends with, as long as it read nothing of the config before: then no config helps. Null where it
 * succeeds, or where the config may decide.
 */
export function failureWithoutConfig(work: (config: Config) => unknown): ConnectorError | null {
  let isRead = false
  const noticed = <Result>(result: Result): Result => {
    isRead = true
    return result
  }
  const config = new Proxy<Config>(
    {},
    {
      // A symbol asks for the clock, which is no part of the config.
      get: (_, name) => (typeof name === 'symbol' ? undefined : noticed(undefined)),
      has: (_, name) => (typeof name === 'symbol' ? false : noticed(false)),
      ownKeys: () => noticed([]),
      getOwnPropertyDescriptor: (_, name) => (typeof name === 'symbol' ? undefined : noticed(undefined)),
    },
  )
  try {
    work(config)
    return null
  } catch (error) {
    return error instanceof ConnectorError && !isRead ? error : null
  }
}
