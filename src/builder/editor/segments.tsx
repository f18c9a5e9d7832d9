/** Two or three views of one thing, one of them shown. */
export function Segments<Name extends string>({
  label,
  chosen,
  choices,
  onChoose,
}: {
  readonly label: string
  readonly chosen: Name
  readonly choices: readonly { readonly name: Name; readonly label: string }[]
  readonly onChoose: (name: Name) => void
}) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map(({ name, label: words }) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {words}
        </button>
      ))}
    </div>
  )
}
