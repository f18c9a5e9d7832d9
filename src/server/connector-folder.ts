/** Where a connector of this name lives. */
import { join } from 'node:path'
import type { Services } from './services.ts'

export function connectorFolder({ home }: Pick<Services, 'home'>, name: string): string {
  return join(home, 'connectors', name)
}
