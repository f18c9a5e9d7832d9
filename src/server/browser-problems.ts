/** A problem → a small page, where a browser asks: a person may open an address of the API. Programs get the problem itself. */
import type { MiddlewareHandler } from 'hono'
import { inlineSources, securityFields } from '../site/headers.ts'
import { negotiateProblem } from '../site/negotiate.ts'
import { problemPage } from '../site/problem-pages.ts'
import { problemType } from '../site/problem.ts'
import type { ApiProblem } from './wire/problem.ts'

export function browserProblems(baseUrl: string): MiddlewareHandler {
  return async (context, next) => {
    await next()
    const { res, req } = context
    if (res.headers.get('content-type') !== problemType) return
    res.headers.append('Vary', 'Accept')
    if (negotiateProblem(req.header('accept')) !== 'html') return
    const page = problemPage((await res.json()) as ApiProblem, baseUrl)
    const headers = new Headers(res.headers)
    headers.set('Content-Type', 'text/html; charset=utf-8')
    for (const [name, value] of Object.entries(securityFields(inlineSources(page), baseUrl))) headers.set(name, value)
    // Otherwise Hono adds the headers of the response that is replaced.
    context.res = undefined
    context.res = new Response(page, { status: res.status, headers })
  }
}
