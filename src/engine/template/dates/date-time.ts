/** Python's datetime: a day, a time of microseconds, and an offset from UTC or none. */
import { failed } from '../trouble.ts'
import { kind } from '../values/kind.ts'
import { isoDate } from './calendar-date.ts'
import { type Civil, checkedDays, civilFromDays, daysFromCivil } from './civil.ts'
import { microsPerDay, TimeDelta } from './time-delta.ts'
import { offsetText, utc, type Zone } from './zone.ts'

export type Clock = {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly microsecond: number
}

export class DateTime {
  /** Wall calendar: days since 1970-01-01 in its own zone. */
  readonly days: number
  /** Wall clock: microseconds since midnight in its own zone. */
  readonly micros: number
  readonly zone: Zone | null

  constructor(days: number, micros: number, zone: Zone | null) {
    const carried = Math.floor(micros / microsPerDay)
    this.days = checkedDays(days + carried)
    this.micros = micros - carried * microsPerDay
    this.zone = zone
  }
  static of(civil: Civil, clock: Clock, zone: Zone | null): DateTime {
    const { hour, minute, second, microsecond } = clock
    if (!(hour >= 0 && hour < 24)) throw failed(`hour ${hour} is not in 0..23`)
    if (!(minute >= 0 && minute < 60)) throw failed(`minute ${minute} is not in 0..59`)
    if (!(second >= 0 && second < 60)) throw failed(`second ${second} is not in 0..59`)
    if (!(microsecond >= 0 && microsecond < 1e6)) throw failed(`microsecond ${microsecond} is not in 0..999999`)
    const micros = ((hour * 60 + minute) * 60 + second) * 1e6 + microsecond
    return new DateTime(daysFromCivil(civil.year, civil.month, civil.day), micros, zone)
  }
  static fromEpochMs(epochMs: number): DateTime {
    const days = Math.floor(epochMs / 86_400_000)
    return new DateTime(days, Math.round((epochMs - days * 86_400_000) * 1000), utc)
  }
  get [kind]() {
    return 'datetime' as const
  }
  get civil(): Civil {
    return civilFromDays(this.days)
  }
  get clock(): Clock {
    const seconds = Math.floor(this.micros / 1e6)
    return {
      hour: Math.floor(seconds / 3600),
      minute: Math.floor(seconds / 60) % 60,
      second: seconds % 60,
      microsecond: this.micros % 1e6,
    }
  }
  /** Seconds since 1970 in UTC. A datetime without a zone counts as UTC, where Python uses the zone of the machine. */
  get epochSeconds(): number {
    const offset = this.zone?.offsetSeconds ?? 0
    // One division at the end, as Python: the nearest double to the exact quotient.
    const micros = BigInt(this.days) * BigInt(microsPerDay) + BigInt(this.micros) - BigInt(offset) * 1_000_000n
    const seconds = micros / 1_000_000n
    return Number.isSafeInteger(Number(micros))
      ? Number(micros) / 1e6
      : Number(seconds) + Number(micros % 1_000_000n) / 1e6
  }
  plus(span: TimeDelta): DateTime {
    return new DateTime(this.days + span.days, this.micros + span.micros, this.zone)
  }
  minus(span: TimeDelta): DateTime {
    return new DateTime(this.days - span.days, this.micros - span.micros, this.zone)
  }
  /** The span between two datetimes that both have a zone, or both have none. */
  since(other: DateTime): TimeDelta {
    const offset = (this.zone?.offsetSeconds ?? 0) - (other.zone?.offsetSeconds ?? 0)
    return new TimeDelta(this.days - other.days, this.micros - other.micros - offset * 1e6)
  }
  inZone(zone: Zone): DateTime {
    const shift = zone.offsetSeconds - (this.zone?.offsetSeconds ?? 0)
    return new DateTime(this.days, this.micros + shift * 1e6, zone)
  }
  withZone(zone: Zone | null): DateTime {
    return new DateTime(this.days, this.micros, zone)
  }
  toString(): string {
    return isoFormat(this, ' ')
  }
}

/** `datetime.isoformat(sep, timespec)` */
export function isoFormat(at: DateTime, separator: string, precision = 'auto'): string {
  return `${isoDate(at.civil)}${separator}${clockText(at.clock, precision)}${at.zone === null ? '' : offsetText(at.zone.offsetSeconds, ':')}`
}

function clockText({ hour, minute, second, microsecond }: Clock, precision: string): string {
  const [hh, mm, ss] = [hour, minute, second].map((part) => String(part).padStart(2, '0'))
  const fraction = String(microsecond).padStart(6, '0')
  switch (precision) {
    case 'auto':
      return microsecond === 0 ? `${hh}:${mm}:${ss}` : `${hh}:${mm}:${ss}.${fraction}`
    case 'hours':
      return `${hh}`
    case 'minutes':
      return `${hh}:${mm}`
    case 'seconds':
      return `${hh}:${mm}:${ss}`
    case 'milliseconds':
      return `${hh}:${mm}:${ss}.${fraction.slice(0, 3)}`
    case 'microseconds':
      return `${hh}:${mm}:${ss}.${fraction}`
    default:
      throw failed(`there is no precision \`${precision.slice(0, 40)}\``)
  }
}
