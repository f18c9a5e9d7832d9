/** What was asked and may be shown again; asked anew when it changes. */
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { AskError } from './ask.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A server that restarts is back within seconds; one that answered would say the same again.
      retry: (count, error) => count < 2 && !(error instanceof AskError && error.problem !== null),
      retryDelay: 1000,
      refetchOnWindowFocus: true,
      // It answers on loopback: what the browser believes about the internet does not matter.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** A response still on its way may be from before the change: it is cancelled and requested again. */
export async function askAgain(queryKey: QueryKey): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}
