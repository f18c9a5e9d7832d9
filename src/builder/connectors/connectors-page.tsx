/** The list of connectors. */
import { useQuery } from '@tanstack/react-query'
import { listConnectors } from '../api/connectors.ts'
import { goTo } from '../place.ts'

export function ConnectorsPage() {
  const { data } = useQuery({ queryKey: ['connectors'], queryFn: listConnectors })
  return (
    <main>
      <h1>Connectors</h1>
      <ul>
        {data?.connectors.map(({ name }) => (
          <li key={name}>
            <button type="button" className="button quiet" onClick={() => goTo({ connector: name })}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}
