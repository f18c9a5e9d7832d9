/** What the API itself said about how much there is, and where it said so. */
import type { ReactNode } from 'react'
import type { TestReceipt } from '../../../server/wire/receipt.ts'
import { count } from '../../../std/text/format-count.ts'

const ways = { flag: 'a flag', link: 'a link', token: 'a token' } as const

export function ClaimsView({ claimed: { total, pages, more } }: { claimed: TestReceipt['claimed'] }) {
  return (
    <section className="claims" aria-label="What the API says">
      <h3>What the API says</h3>
      {total === null && pages === null && more === null ? (
        <p className="quiet-words">Nothing about how much there is, or whether more follows.</p>
      ) : (
        <ul>
          {total !== null && <Claim at={total.at}>{count(total.value, 'record')} in total</Claim>}
          {pages !== null && <Claim at={pages.at}>{count(pages.value, 'page')} in total</Claim>}
          {more !== null && (
            <Claim at={more.at}>
              {more.value ? 'More follows' : 'No more follows'}, by {ways[more.by]}
            </Claim>
          )}
        </ul>
      )}
    </section>
  )
}

function Claim({ at, children }: { at: string; children: ReactNode }) {
  return (
    <li>
      <span>{children}</span> <code>{at}</code>
    </li>
  )
}
