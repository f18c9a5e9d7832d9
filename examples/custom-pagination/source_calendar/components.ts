/** A page of the calendar → the month to ask for next. */
import { type PageContext, PaginationStrategy } from 'turnleaf'

export class CalendarPagination extends PaginationStrategy {
  /** Null ends the stream. How many events a month has says nothing: some have none. */
  override nextPageToken({ response }: PageContext): string | null {
    if (!isMonth(response)) throw new Error('The response has no month and last_month.')
    return response.month === response.last_month ? null : monthAfter(response.month)
  }

  /** A month is as long as it is. */
  override get pageSize(): null {
    return null
  }
}

function monthAfter(month: string): string {
  const [year, number] = month.split('-').map(Number)
  // Months count from 0 here, so the number of this month is the index of the next; December rolls over by itself.
  return new Date(Date.UTC(year ?? 0, number ?? 0)).toISOString().slice(0, 7)
}

function isMonth(answer: unknown): answer is { month: string; last_month: string } {
  return typeof answer === 'object' && answer !== null && 'month' in answer && 'last_month' in answer
}
