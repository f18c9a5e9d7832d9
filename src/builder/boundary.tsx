/** When drawing fails: what happened, and the text, which must never be lost to it. */
import { Component, type ReactNode } from 'react'
import { downloadText } from './editor/exports.ts'
import type { SessionStore } from './session/session.ts'

type Props = { readonly store?: SessionStore; readonly children: ReactNode }

/** A class, because React has no other way to catch what children throw. */
export class Boundary extends Component<Props, { readonly error: Error | null }> {
  override state = { error: null as Error | null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    const { store, children } = this.props
    if (error === null) return children
    return (
      <main className="message-page" id="content">
        <h1>This page cannot be shown</h1>
        <p role="alert">
          The builder failed: {error.message}. {store === undefined ? '' : 'Your text is still here.'}
        </p>
        <div className="actions">
          <button type="button" className="button main" onClick={() => this.setState({ error: null })}>
            Try again
          </button>
          {store !== undefined && (
            <>
              <button type="button" className="button" onClick={() => download(store)}>
                Download the text
              </button>
              <button type="button" className="button" onClick={() => this.goBack(store)}>
                Undo the last change
              </button>
            </>
          )}
        </div>
      </main>
    )
  }

  /** The change before last could be shown, after all. */
  private goBack(store: SessionStore): void {
    store.undo()
    this.setState({ error: null })
  }
}

function download(store: SessionStore): void {
  const { name, text } = store.get()
  downloadText(`${name}.yaml`, text)
}
