/** Paths of recorded requests → paths with a parameter in the place of each id: `/users/17/orders` → `/users/{user_id}/orders`. */
import { isSecretValue, looksRandom } from '../../from-request/secret-words.ts'
import type { CapturedRequest } from './describe-requests.ts'

const idLike = /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{16,}|[A-Za-z]+_[A-Za-z\d]{8,})$/i

/** Other names of one list are merged by who reads them: the first request of each path counts. */
export function withPathParameters(requests: readonly CapturedRequest[]): CapturedRequest[] {
  return requests.map((request) => {
    const parts = request.path.split('/')
    const path = parts
      .map((part, index) => (isId(part) ? `{${parameterName(parts[index - 1] ?? '')}}` : part))
      .join('/')
    return { ...request, path }
  })
}

/** An id, an address of a person, or a key: nothing of it is the same for every user. */
function isId(part: string): boolean {
  return /^\d+$/.test(part)
    ? !/^(19|20)\d\d$/.test(part) || part.length !== 4
    : (idLike.test(part) && /\d/.test(part)) || isSecretValue(part) || looksRandom(part) || /@|%40/.test(part)
}

function parameterName(before: string): string {
  const word = before
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
  return word === '' || before.startsWith('{') ? 'id' : `${word.toLowerCase()}_id`
}
