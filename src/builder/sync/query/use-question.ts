/** One question at a time: asked, cancelled, answered or refused. Hanging up is what the server takes for "cancel". */
import { useEffect, useRef, useState } from 'react'
import type { QueryAnswer } from '../../../server/wire/sync.ts'
import { AskError, ask } from '../../api/ask.ts'
import { messageOf } from '../../../std/text/message-of.ts'

export type SqlQuery =
  | { readonly status: 'none' | 'asking' }
  | { readonly status: 'answered'; readonly result: QueryAnswer; readonly tookMs: number }
  | { readonly status: 'refused'; readonly message: string; readonly hint: string | undefined }

/** As many rows as one may want to scroll through or copy. */
const mostRows = 1000

export function useQuestion() {
  const [question, setQuestion] = useState<SqlQuery>({ status: 'none' })
  const hangUp = useRef<AbortController | null>(null)
  useEffect(() => () => hangUp.current?.abort(), [])

  async function put(sql: string): Promise<void> {
    hangUp.current?.abort()
    if (sql.trim() === '') return
    const mine = new AbortController()
    hangUp.current = mine
    const begunAt = Date.now()
    setQuestion({ status: 'asking' })
    const outcome = await ask<QueryAnswer>('POST', '/v1/queries', {
      body: { sql, limit: mostRows },
      signal: mine.signal,
    }).then((result): SqlQuery => ({ status: 'answered', result, tookMs: Date.now() - begunAt }), refusal)
    if (hangUp.current === mine && !mine.signal.aborted) setQuestion(outcome)
  }

  function cancel(): void {
    hangUp.current?.abort()
    setQuestion({ status: 'none' })
  }

  return { question, put, cancel }
}

function refusal(error: unknown): SqlQuery {
  const message = messageOf(error)
  return { status: 'refused', message, hint: error instanceof AskError ? error.problem?.hint : undefined }
}
