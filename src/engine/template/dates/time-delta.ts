/** Python's timedelta: a span of days and microseconds. */
import { failed } from '../trouble.ts'
import { kind } from '../values/kind.ts'

export const microsPerDay = 86_400_000_000
const maxDays = 999_999_999

export class TimeDelta {
  readonly days: number
  /** 0 up to a day; a negative span has negative days. */
  readonly micros: number
  constructor(days: number, micros: number) {
    const carried = Math.floor(micros / microsPerDay)
    this.days = days + carried
    this.micros = micros - carried * microsPerDay
    if (!(Math.abs(this.days) <= maxDays)) throw failed('the time span is longer than 999999999 days')
  }
  get [kind]() {
    return 'timedelta' as const
  }
  get seconds(): number {
    return Math.floor(this.micros / 1e6)
  }
  get microseconds(): number {
    return this.micros % 1e6
  }
  get totalSeconds(): number {
    return (this.days * 86_400 * 1e6 + this.micros) / 1e6
  }
  plus(other: TimeDelta): TimeDelta {
    return new TimeDelta(this.days + other.days, this.micros + other.micros)
  }
  negated(): TimeDelta {
    return new TimeDelta(-this.days, -this.micros)
  }
  /** Exact for any factor, as whole microseconds exceed what a double holds. */
  times(factor: bigint): TimeDelta {
    return fromMicros(microsOf(this) * factor)
  }
  compare(other: TimeDelta): number {
    return this.days - other.days || this.micros - other.micros
  }
  toString(): string {
    const clock = this.seconds
    const days = this.days === 0 ? '' : `${this.days} day${Math.abs(this.days) === 1 ? '' : 's'}, `
    const fraction = this.microseconds === 0 ? '' : `.${String(this.microseconds).padStart(6, '0')}`
    return `${days}${Math.floor(clock / 3600)}:${two(Math.floor(clock / 60) % 60)}:${two(clock % 60)}${fraction}`
  }
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}

export function microsOf(span: TimeDelta): bigint {
  return BigInt(span.days) * BigInt(microsPerDay) + BigInt(span.micros)
}

export function fromMicros(micros: bigint): TimeDelta {
  const day = BigInt(microsPerDay)
  const days = micros / day
  if (days > BigInt(maxDays) + 1n || days < -BigInt(maxDays) - 1n) throw failed('the time span is too long')
  return new TimeDelta(Number(days), Number(micros % day))
}

/** Fractions round to the nearest microsecond, halves to the even one. */
export function timeDelta(days: number, seconds: number): TimeDelta {
  const wholeDays = Math.trunc(days)
  const micros = roundHalfEven((days - wholeDays) * microsPerDay + seconds * 1e6)
  if (!Number.isFinite(micros)) throw failed('the time span is too long')
  return new TimeDelta(wholeDays, micros)
}

export function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}
