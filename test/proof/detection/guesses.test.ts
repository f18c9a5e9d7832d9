/** What a way of paging foretells of a request, and what rules it out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GuessFit, guessFit, type Guess, type Mover } from '../../../src/proof/detection/guesses.ts'
import type { ProbedPage } from '../../../src/proof/detection/probed-pages.ts'
import { inQuery, type Put } from '../../../src/proof/detection/probe-request.ts'

const keys = Array.from({ length: 10 }, (_, index) => `r${index}`)
const known = { keys, all: new Set(keys), ids: keys }
const page = (...names: string[]) => ({ keys: names }) as unknown as ProbedPage
const put = (name: string, value: string | number): Put => ({ slot: inQuery(name), value })

const pageFrom = (base: 0 | 1): Mover => ({ kind: 'page', slot: inQuery('page'), base })
const offset: Mover = { kind: 'offset', slot: inQuery('offset'), base: 1 }
const after: Mover = { kind: 'after', slot: inQuery('after'), base: 1 }
const by = (mover: Mover | null, size: string | null = 'limit'): Guess => ({
  mover,
  size: size === null ? null : inQuery(size),
})

const cases: readonly [string, Guess, readonly Put[], ProbedPage | null, GuessFit][] = [
  [
    'a page from 1 begins one size further on',
    by(pageFrom(1)),
    [put('page', 2), put('limit', 2)],
    page('r2', 'r3'),
    'strong',
  ],
  ['and one from 0 two sizes', by(pageFrom(0)), [put('page', 2), put('limit', 2)], page('r4', 'r5'), 'strong'],
  ['so the response distinguishes them', by(pageFrom(0)), [put('page', 2), put('limit', 2)], page('r2', 'r3'), 'none'],
  ['an offset begins where it says', by(offset), [put('offset', 3), put('limit', 2)], page('r3', 'r4'), 'strong'],
  ['a key begins after it', by(after), [put('after', 'r3'), put('limit', 1)], page('r4'), 'strong'],
  ['a key that no one gave out foretells nothing', by(after), [put('after', 'zz')], page('r4'), 'none'],
  [
    'more records than requested rule it out',
    by(offset),
    [put('offset', 3), put('limit', 1)],
    page('r3', 'r4'),
    'none',
  ],
  ['fewer do, while there are more', by(offset), [put('offset', 3), put('limit', 3)], page('r3'), 'none'],
  ['and do not at the end', by(offset), [put('offset', 9), put('limit', 3)], page('r9'), 'weak'],
  [
    'an unknown record in a known place rules it out',
    by(offset),
    [put('offset', 3), put('limit', 1)],
    page('new'),
    'none',
  ],
  ['a known one past the first page does too', by(pageFrom(1), null), [put('page', 2)], page('r0'), 'none'],
  ['pages of a fixed size bring what is new', by(pageFrom(1), null), [put('page', 2)], page('n1', 'n2'), 'strong'],
  ['nothing past the end shows little', by(pageFrom(1), null), [put('page', 2)], page(), 'weak'],
  ['nothing in the middle rules it out', by(offset, null), [put('offset', 3)], page(), 'none'],
  [
    'the same page again is what a name without effect brings',
    by(offset, null),
    [put('skip', 3)],
    page(...keys),
    'weak',
  ],
  ['a size alone is shown by as many records', by(null), [put('limit', 2)], page('r0', 'r1'), 'strong'],
]

for (const [name, guess, puts, came, fit] of cases) {
  test(name, () => assert.equal(guessFit(guess, puts, known, came), fit))
}
