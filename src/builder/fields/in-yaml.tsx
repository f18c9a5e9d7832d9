/** Something of the manifest that the form cannot show: said, left as it is, one step away. */
import { goTo } from '../router.ts'
import './in-yaml.css'

export function InYaml({
  what,
  why = 'is written in a way that the form cannot show.',
}: {
  what: string
  why?: string
}) {
  return (
    <p className="in-yaml">
      <span>
        <b>{what}</b> {why} It stays as it is.
      </span>
      <button type="button" className="button small" onClick={() => goTo({ view: 'yaml' })}>
        Edit in YAML
      </button>
    </p>
  )
}
