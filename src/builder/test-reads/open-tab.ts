/** Which tab of the details is open: it stays across tests, and other columns may open one. */
import { createStore } from '../store.ts'

export type Details =
  | 'request'
  | 'response'
  | 'records'
  | 'schema'
  | 'logs'
  | 'receipt'
  | 'compare'
  | 'diagnosis'
  | 'survey'

const details = createStore<Details>('records')

export const useDetails = details.use
export const showDetails = details.set
