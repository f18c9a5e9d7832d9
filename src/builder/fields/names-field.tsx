/** A path of names in the manifest: a list, shown and typed as `data.items`. */
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import { InYaml } from './in-yaml.tsx'
import { namesIn } from './name-path.ts'
import { NamesInput } from './names-input.tsx'

/** @param keepsEmpty the key is required: emptied, the path is an empty list, which means the whole. */
export function NamesField({
  placeholder,
  keepsEmpty = false,
  ...field
}: FieldProps & { placeholder?: string; keepsEmpty?: boolean }) {
  const { value, set, remove } = useField(field.at)
  const names = namesIn(value)
  if (names === null) return <InYaml what={field.label} />
  return (
    <Field {...field}>
      {(control) => (
        <NamesInput
          {...control}
          names={names}
          placeholder={placeholder}
          onNames={(changed) => (changed.length > 0 || keepsEmpty ? set(changed) : remove())}
        />
      )}
    </Field>
  )
}
