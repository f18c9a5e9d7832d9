/** What the first window asks: dates seen where they go, not imagined. */
import { Worded } from '../../fields/worded.tsx'
import { usePreview } from '../../session/use-inspection.ts'
import '../pagination/requests-preview.css'

export function FirstRequest({ stream }: { stream: string }) {
  const preview = usePreview(stream)
  const request = preview?.requests[0]
  return (
    <section className="requests-preview" aria-label="First window">
      <header>
        <h3>First window</h3>
      </header>
      <ol aria-busy={preview === null}>
        <li>
          {request === undefined ? (
            <p className="none">–</p>
          ) : (
            <p className="line">
              <b>{request.method}</b> {request.url}
            </p>
          )}
        </li>
      </ol>
      {preview !== null && request === undefined && preview.trouble !== null && (
        <p className="stops">
          <Worded text={preview.trouble} />
        </p>
      )}
    </section>
  )
}
