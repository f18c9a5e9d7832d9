/** What was asked and may be shown again; asked anew when it changes. */
import { QueryClient } from '@tanstack/react-query'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A server that restarts is back within seconds.
      retry: 2,
      retryDelay: 1000,
      refetchOnWindowFocus: true,
      // It answers on loopback: what the browser believes about the internet does not matter.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
