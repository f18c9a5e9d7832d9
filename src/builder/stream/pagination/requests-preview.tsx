/** The first three requests as they will leave, the paging values marked where they go. */
import { usePreview } from '../../session/use-inspection.ts'
import type { PreviewedRequest } from '../../../server/wire/inspection.ts'
import { Worded } from '../../fields/inline-code.tsx'
import { formWords } from '../../yaml/place-words.ts'
import type { Path } from '../../../document/value-path.ts'
import { bodyPieces, headerPieces, type Piece, urlPieces } from './marked-text.ts'
import './requests-preview.css'
import { useField } from '../../session/use-field.ts'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { inputNamesIn } from '../../settings/inputs/config-references.ts'
import { addInput, inputsIn, titleFrom } from '../../settings/inputs/spec-inputs.ts'
import { UsedInputs } from '../../settings/inputs/used-inputs.tsx'

export function RequestsPreview({ stream, at }: { stream: string; at: Path }) {
  const preview = usePreview(stream)
  return (
    <section className="requests-preview" aria-label="First requests">
      <header>
        <h3>First requests</h3>
        <p className="legend" aria-hidden="true">
          <mark data-what="page-token">page</mark> <mark data-what="page-size">page size</mark>
        </p>
      </header>
      <ol aria-busy={preview === null}>
        {[0, 1, 2].map((index) => (
          <li key={index}>
            <Request request={preview?.requests[index]} />
          </li>
        ))}
      </ol>
      <p className="stops">
        {preview === null ? (
          ' '
        ) : (
          <Worded text={preview.trouble === null ? preview.stops : formWords(preview.trouble)} />
        )}
      </p>
      {preview !== null && preview.trouble !== null && <MissingInputs at={at} />}
    </section>
  )
}

/**
 * The inputs that the paginator uses: those the connector does not have are offered, the others get a test value here.
 *
 * @param at the paginator
 */
function MissingInputs({ at }: { at: Path }) {
  const store = useSessionStore()
  const { value: paginator } = useField(at)
  const root = useSession(({ document }) => document.value)
  const names = inputNamesIn(paginator)
  const known = inputsIn(root).map(({ name }) => name)
  return (
    <>
      {names
        .filter((name) => !known.includes(name))
        .map((name) => (
          <button
            key={name}
            type="button"
            className="button small"
            onClick={() =>
              store.edit(addInput(store.get().document.text, name, { title: titleFrom(name), type: likelyType(name) }))
            }
          >
            Create input {name}
          </button>
        ))}
      <UsedInputs names={names} />
    </>
  )
}

function likelyType(name: string): string {
  return /size|limit|count|page|max/i.test(name) ? 'integer' : 'string'
}

function Request({ request }: { request: PreviewedRequest | undefined }) {
  if (request === undefined) return <p className="none">–</p>
  const headers = headerPieces(request)
  const body = request.marks.some(({ place }) => place === 'body') ? bodyPieces(request) : []
  return (
    <>
      <p className="when">{request.when}</p>
      <p className="line">
        <b>{request.method}</b> <Pieces pieces={urlPieces(request)} />
      </p>
      {headers.map((pieces) => (
        <p className="line" key={pieces[0]?.text}>
          <Pieces pieces={pieces} />
        </p>
      ))}
      {body.length > 0 && (
        <p className="line body">
          <Pieces pieces={body} />
        </p>
      )}
    </>
  )
}

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, mark }, index) =>
    mark === null ? (
      <span key={index}>{text}</span>
    ) : (
      <mark key={index} data-what={mark.what} title={mark.what === 'page-size' ? 'page size' : 'asks for the page'}>
        {text}
      </mark>
    ),
  )
}
