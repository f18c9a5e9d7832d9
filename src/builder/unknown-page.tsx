/** An address that leads nowhere: says so, and leads back. */
import { followLink, routePath } from './router.ts'
import { useTitle } from './use-title.ts'
import './connectors/connectors.css'

const list = { connector: null, part: null, view: 'form', isUnknown: false } as const

export function UnknownPage() {
  useTitle('Not found')
  return (
    <div className="connectors-page">
      <main id="content">
        <h1>There is no page at this address</h1>
        <p>
          <code>{window.location.pathname}</code> is not an address of the builder.
        </p>
        <p>
          <a className="button" href={routePath(list)} onClick={(event) => followLink(event, list)}>
            Show all connectors
          </a>
        </p>
      </main>
    </div>
  )
}
