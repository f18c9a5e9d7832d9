/** Host and environment → what the API works with. */
import { join } from 'node:path'
import type { Services } from '../server/services.ts'
import { packageFolder } from './package.ts'

export function servicesFor(host: string, lab: string): Services {
  return {
    home: process.env.TURNLEAF_HOME || process.cwd(),
    pages: join(packageFolder(), 'dist/builder'),
    lab,
    token: process.env.TURNLEAF_TOKEN || null,
    egress: isLoopback(host) ? 'loopback-allowed' : 'public-only',
  }
}

/** Only this machine can reach such a host. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
