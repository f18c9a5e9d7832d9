/** Changes what is inside a list or an object, in a copy; what stays as it is is not copied. */
import { setMember } from './set-member.ts'

type Items = readonly unknown[]

export function changeItems(list: Items, change: (item: unknown, index: number) => unknown): Items {
  const items = list.map((item, index) => change(item, index))
  return items.every((item, index) => item === list[index]) ? list : items
}

/** No import of `Members`: what is there needs the numbers that this serves. */
type Members = Readonly<Record<string, unknown>>

export function changeMembers(members: Members, change: (member: unknown, name: string) => unknown): Members {
  let copy: Record<string, unknown> | null = null
  for (const name of Object.keys(members)) {
    const member = members[name]
    const changed = change(member, name)
    if (changed !== member) setMember((copy ??= { ...members }), name, changed)
  }
  return copy ?? members
}
