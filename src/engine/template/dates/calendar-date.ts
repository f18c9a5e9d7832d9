/** Python's date: a day without a time. */
import { kind } from '../values/kind.ts'
import { type Civil, checkedDays, civilFromDays, daysFromCivil } from './civil.ts'

export class CalendarDate {
  /** Since 1970-01-01. */
  readonly days: number
  constructor(days: number) {
    this.days = checkedDays(days)
  }
  static of({ year, month, day }: Civil): CalendarDate {
    return new CalendarDate(daysFromCivil(year, month, day))
  }
  get [kind]() {
    return 'date' as const
  }
  get civil(): Civil {
    return civilFromDays(this.days)
  }
  toString(): string {
    return isoDate(this.civil)
  }
}

export function isoDate({ year, month, day }: Civil): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
