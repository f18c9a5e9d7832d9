/** What happens to schedules → one line each, with the time. */
import type { ScheduleNews } from '../../server/schedules/schedules.ts'
import type { RunOutcome } from '../../schedules/run-connection.ts'
import { sayWait } from '../../protocol/say.ts'
import { ConnectorError } from '../../std/errors.ts'
import { count } from '../../std/text/format-count.ts'
import { oneLine, say } from './print.ts'

export function sayScheduleNews(news: ScheduleNews): void {
  const words = wordsFor(news)
  if (words !== null) say(`${new Date().toISOString()} ${oneLine(words)}`)
}

function wordsFor(news: ScheduleNews): string | null {
  switch (news.kind) {
    case 'standing-by':
      return `${news.reason} This server runs no schedules until that one ends.`
    case 'started':
      return `schedule ${news.name}: started.`
    case 'ended':
      return `schedule ${news.name}: ${sayRun(news.outcome)} after ${sayWait(news.endedAt - news.startedAt)}.${sayError(news.outcome)}`
    case 'problem':
      return `schedule${news.name === null ? 's' : ` ${news.name}`}: ${sayProblem(news.error)}`
    case 'webhook-failed':
      return `schedule ${news.name}: the webhook failed: ${news.reason}.`
  }
}

function sayProblem(error: Error): string {
  return error instanceof ConnectorError ? `${error.code}: ${error.message} ${error.hint}` : error.message
}

function sayRun({ status, exitStatus, receipts }: RunOutcome): string {
  const records = receipts.reduce((sum, receipt) => sum + receipt.records, 0)
  const read = receipts.length === 0 ? '' : `, ${count(records, 'record')} of ${count(receipts.length, 'stream')}`
  return `${status}${exitStatus === null || exitStatus === 0 ? '' : ` (exit status ${exitStatus})`}${read}`
}

function sayError({ error }: RunOutcome): string {
  return error === null ? '' : ` ${error.code}: ${error.message} ${error.hint}`
}
