/** Offsets from UTC, and IANA zone names through Intl. */
import { failed } from '../trouble.ts'
import { kind } from '../values/kind.ts'

export class Zone {
  readonly offsetSeconds: number
  readonly name: string
  /** Python's repr: two libraries make UTC there, and print it in two ways. */
  readonly text: string
  constructor(offsetSeconds: number, name: string, text: string) {
    this.offsetSeconds = offsetSeconds
    this.name = name
    this.text = text
  }
  get [kind]() {
    return 'zone' as const
  }
}

export const utc = new Zone(0, 'UTC', 'datetime.timezone.utc')
/** The UTC that `str_to_datetime` gives. */
export const pytzUtc = new Zone(0, 'UTC', '<UTC>')

export function fixedZone(offsetSeconds: number): Zone {
  if (offsetSeconds === 0) return utc
  if (Math.abs(offsetSeconds) >= 86_400) throw failed('a zone is less than a day away from UTC')
  return new Zone(offsetSeconds, `UTC${offsetText(offsetSeconds, ':')}`, zoneText(offsetSeconds))
}

function zoneText(offsetSeconds: number): string {
  const [days, seconds] = offsetSeconds < 0 ? [-1, offsetSeconds + 86_400] : [0, offsetSeconds]
  return `datetime.timezone(datetime.timedelta(${days < 0 ? `days=${days}, ` : ''}seconds=${seconds}))`
}

/** `+05:30`; seconds only when there are some. */
export function offsetText(offsetSeconds: number, separator: string): string {
  const size = Math.abs(offsetSeconds)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60]
  if (size % 60 !== 0) parts.push(size % 60)
  return (offsetSeconds < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(separator)
}

/** Year, month and day on the wall calendar of an IANA zone. */
export function civilInZone(epochMs: number, zone: string): { year: number; month: number; day: number } {
  const parts = formatterOf(zone).formatToParts(epochMs)
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value)
  return { year: part('year'), month: part('month'), day: part('day') }
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  const made = makeFormatter(zone)
  // Names come from templates; IANA has some 600.
  if (formatters.size < 700) formatters.set(zone, made)
  return made
}

function makeFormatter(zone: string): Intl.DateTimeFormat {
  // Intl also takes offsets such as +01:00, which are no zone names.
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) throw failed(`there is no time zone ${JSON.stringify(zone.slice(0, 40))}`)
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    })
  } catch {
    throw failed(`there is no time zone ${JSON.stringify(zone.slice(0, 40))}`)
  }
}
