/** The server does not answer, or wants a token: said once, at the top, with what to do. */
import { useId, useState } from 'react'
import { askNow, retryWithToken, useServerState } from './api/reach.ts'
import { setToken } from './api/token.ts'
import { Banner } from './editor/banner.tsx'

export function ServerBanner() {
  const reach = useServerState()
  if (reach === 'down') {
    return (
      <Banner tone="warning" words="The server does not answer. Trying again; what you typed stays here.">
        <button type="button" className="button small" onClick={() => void askNow()}>
          Try now
        </button>
      </Banner>
    )
  }
  return reach === 'locked' ? <TokenBanner /> : null
}

function TokenBanner() {
  const id = useId()
  const [token, setTyped] = useState('')
  return (
    <Banner tone="warning" words="This server requires the token that it was started with (TURNLEAF_TOKEN).">
      <form
        className="token-form"
        onSubmit={(event) => {
          event.preventDefault()
          setToken(token.trim())
          retryWithToken()
        }}
      >
        <label className="hidden" htmlFor={id}>
          Token
        </label>
        <input
          id={id}
          className="input mono"
          type="password"
          placeholder="Token"
          autoComplete="off"
          value={token}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="button" disabled={token.trim() === ''}>
          Use for this tab
        </button>
      </form>
    </Banner>
  )
}
