/** Mounts the app. */
import './styles/sheets.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api/queries.ts'
import { takeTokenFromAddress } from './api/token.ts'
import { App } from './app.tsx'
import { applyTheme } from './theme/theme.ts'

takeTokenFromAddress()
applyTheme()
const place = document.getElementById('app')
if (place === null) throw new Error('The page has no place for the app.')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
