/** Faults of the request: requests refused that another API would serve, and ignored parameters. */
import { Refusal } from '../exchange.ts'
import { type Fault, faultyPage, pageOf } from './fault.ts'

const isCounted: Fault['suits'] = (traits) => traits.includes('counted')

export const requestFaults: readonly Fault[] = [
  {
    name: 'capped-size',
    says: 'sends at most `cap` records a page, whatever was requested',
    survive: 'Request no more than the cap, or do not treat a short page as the last one.',
    parameters: { cap: 50 },
    suits: (traits) => traits.includes('sized'),
    hooks: ({ cap = 50 }) => ({ limit: (limit) => Math.min(limit, Math.max(cap, 1)) }),
  },
  {
    name: 'ignored-parameter',
    says: 'ignores the paging parameter: every request gets the first page',
    survive: 'Notice that the same page is repeated, and stop.',
    suits: (traits) => traits.includes('sized'),
    hooks: () => ({ place: () => 0 }),
  },
  {
    name: 'rejects-first',
    says: 'refuses the first page when the request names it: `offset=0`, `page=1`',
    survive: 'Leave the offset or page number out of the first request.',
    suits: isCounted,
    hooks: () => ({
      refuse({ start, isPlaced }) {
        if (isPlaced && start === 0) throw new Refusal(400, 'The first page is requested without a number.')
      },
    }),
  },
  {
    name: 'requires-first',
    says: 'refuses a request without an offset or a page number',
    survive: 'Send the offset or page number with the first request too.',
    suits: isCounted,
    hooks: () => ({
      refuse({ isPlaced }) {
        if (!isPlaced) throw new Refusal(400, 'The first request, too, needs an offset or a page number.')
      },
    }),
  },
  {
    name: 'rate-limit',
    says: 'answers 429 with `Retry-After: 1` the first time a page is requested',
    survive: 'Wait as long as the API says, then retry.',
    suits: () => true,
    hooks: () => ({
      refuse(_, { isFirstTime }) {
        if (isFirstTime())
          throw new Refusal(429, 'Too fast. Ask again in a second.', { headers: { 'Retry-After': '1' } })
      },
    }),
  },
  {
    name: 'expired-cursor',
    says: 'no longer knows the cursor of page 3',
    survive: 'Stop with an error, and start over; never treat a partial read as complete.',
    suits: (traits) => traits.includes('cursor'),
    hooks: () => ({
      refuse(wanted) {
        if (pageOf(wanted) === faultyPage) throw new Refusal(400, 'The cursor has expired.', { field: 'cursor' })
      },
    }),
  },
]
