/** The settings page that a failed read leads to: of an API that refuses the credentials, or is not there. */
import type { PageName } from '../../editor/outline-parts.ts'
import type { ReadProblem } from '../read-state.ts'

/** The page, and the member of the requester that it edits. */
export type PageOfProblem = { readonly page: PageName; readonly member: readonly string[] }

const authentication: PageOfProblem = { page: 'authentication', member: ['authenticator', 'type'] }
const baseUrl: PageOfProblem = { page: 'base-url', member: ['url_base'] }

export function pageOfProblem({ code, detail }: Pick<ReadProblem, 'code' | 'detail'>): PageOfProblem | null {
  switch (code) {
    case 'response/rejected':
      return /\banswered 40[13]\b/.test(detail) ? authentication : null
    case 'request/token-refused':
      return authentication
    case 'response/unreachable':
      return baseUrl
    default:
      return null
  }
}
