/** What stands before every route, outermost first. */
import type { MiddlewareHandler } from 'hono'

const neverSniffed: MiddlewareHandler = async (context, next) => {
  await next()
  context.res.headers.set('X-Content-Type-Options', 'nosniff')
}

export const guards: readonly MiddlewareHandler[] = [neverSniffed]
