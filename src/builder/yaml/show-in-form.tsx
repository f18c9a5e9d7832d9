/** From the line one is at to its field. */
import { useStreams } from '../editor/use-streams.ts'
import { lastSpot, showInForm } from './spot.ts'

export function ShowInForm() {
  const streams = useStreams()
  const show = () => {
    const path = lastSpot() ?? []
    const stream = streams.find((one) => one.path.every((part, index) => part === path[index]))
    showInForm(path, stream?.name ?? null)
  }
  return (
    <button type="button" className="button small quiet" onClick={show}>
      Show in form
    </button>
  )
}
