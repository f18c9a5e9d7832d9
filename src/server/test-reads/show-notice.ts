/** What happened on the way → an event of a test read. */
import type { Notice } from '../../engine/response/notice.ts'
import { isWarning, sayNotice } from '../../protocol/say.ts'
import type { TestReadEvent } from '../wire/test-read.ts'

export function showNotice(notice: Notice, stream: string, at: number): TestReadEvent {
  const lead = `Stream "${stream}": `
  const text = sayNotice(stream, notice)
  // Only one stream is read, and its name is known.
  const own = text.startsWith(lead) ? text.slice(lead.length) : text
  return {
    kind: 'notice',
    at,
    level: isWarning(notice) ? 'warning' : 'info',
    text: own.charAt(0).toUpperCase() + own.slice(1),
    ...('waitMs' in notice && { waitMs: notice.waitMs }),
  }
}
