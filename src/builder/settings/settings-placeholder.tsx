/** A page that has no form yet: what it is about, and the way to its text. */
import { InYaml } from '../fields/in-yaml.tsx'

export function SettingsPlaceholder({ title, help }: { title: string; help: string }) {
  return (
    <>
      <h2>{title}</h2>
      <p>{help}</p>
      <InYaml what={title} why="has no form yet." />
    </>
  )
}
