/** Parts of the app whose code is loaded when they are first shown, or before that when the browser has nothing to do. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

type Part<Props> = ComponentType<Props>

/** Loads that may be made ahead. */
const ahead = new Set<() => Promise<unknown>>()

export type LazyOptions = {
  /** What is shown until it is there. */
  readonly waiting?: ReactNode
  /** Too large to be loaded before it is needed. */
  readonly isLarge?: boolean
}

export function lazyPart<Props extends object>(
  load: () => Promise<Part<Props>>,
  { waiting = <Waiting />, isLarge = false }: LazyOptions = {},
): Part<Props> {
  let loaded: Part<Props> | null = null
  const loadOnce = async () => {
    loaded ??= await load()
    ahead.delete(loadOnce)
  }
  if (!isLarge) ahead.add(loadOnce)
  return function LazyPart(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
    useEffect(() => {
      if (state !== 'loading') return
      let isShown = true
      const show = (next: 'loaded' | 'failed') => void (isShown && setState(next))
      loadOnce().then(
        () => show('loaded'),
        () => show('failed'),
      )
      return () => {
        isShown = false
      }
    }, [state])
    if (loaded !== null) {
      const Loaded = loaded
      return <Loaded {...props} />
    }
    return state === 'failed' ? <NotLoaded onRetry={() => setState('loading')} /> : waiting
  }
}

/** A moment after the page is there: the next click need not wait, and works without the server too. */
export function loadPartsAhead(): () => void {
  const timer = setTimeout(() => {
    // What fails now is tried again when it is needed.
    for (const load of ahead) load().catch(() => {})
  }, aheadMs)
  return () => clearTimeout(timer)
}

const aheadMs = 1500

function Waiting() {
  return (
    <p className="lazy-part" role="status">
      Loading
    </p>
  )
}

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="lazy-part" role="alert">
      <p>
        This part of the builder could not be loaded. If the server was updated, reload the page: what you typed is
        kept.
      </p>
      <div className="actions">
        <button type="button" className="button main" onClick={() => window.location.reload()}>
          Reload the page
        </button>
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      </div>
    </div>
  )
}
