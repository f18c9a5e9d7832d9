/** Streams, sections, actions and pages of the docs, found by a few letters and chosen by the keyboard. */
import {
  Combobox,
  ComboboxGroup,
  ComboboxGroupLabel,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider,
  Dialog,
} from '@ariakit/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { FoundDocs } from '../../server/wire/docs.ts'
import { count } from '../../std/text/format-count.ts'
import { ask } from '../api/ask.ts'
import { Icon } from '../icons.tsx'
import { keepFocusAfterDrawing } from '../keys/use-kept-focus.ts'
import { useRested } from '../use-debounced.ts'
import { type Command, type CommandGroup, findCommands, listCommands } from './commands.ts'
import { offeredCommands } from './offered.ts'
import './palette.css'
import { recall, remember } from '../local-storage.ts'

const docsRestMs = 150

export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const chosen = useRef<Command | null>(null)
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      unmountOnHide
      className="palette appears"
      aria-label="Find anything"
      backdrop={<div className="backdrop" />}
      // The focus is back where it was first: then a command may take it elsewhere.
      autoFocusOnHide={() => {
        const { current } = chosen
        chosen.current = null
        if (current !== null) {
          setTimeout(() => {
            current.run()
            keepFocusAfterDrawing()
          })
        }
        return true
      }}
    >
      <Search
        onChoose={(command) => {
          noteCommand(command.id)
          chosen.current = command
          onClose()
        }}
      />
    </Dialog>
  )
}

function Search({ onChoose }: { onChoose: (command: Command) => void }) {
  const [wanted, setWanted] = useState('')
  // Of the moment it opened: what is behind the dialog does not change.
  const [offered] = useState(() => ({ commands: offeredCommands(), recent: recentCommands() }))
  const docs = useDocs(wanted)
  const groups = useMemo(() => groupsFor(wanted, offered, docs), [offered, wanted, docs])
  // Until one goes to another, Enter takes the first of what was typed, also where the list is not drawn yet.
  const hasMoved = useRef(false)
  const total = groups.reduce((sum, { commands }) => sum + commands.length, 0)
  return (
    <ComboboxProvider
      open
      value={wanted}
      setValue={(value) => {
        hasMoved.current = false
        setWanted(value)
      }}
      focusLoop={false}
      includesBaseElement={false}
    >
      <div className="box">
        <Icon name="search" />
        <Combobox
          className="input"
          autoSelect="always"
          placeholder="A stream, a section, an action, a page of the docs"
          aria-label="Find anything"
          onKeyDown={(event) => {
            if (/^(Arrow(Up|Down)|Page(Up|Down))$/.test(event.key)) hasMoved.current = true
            if (event.key !== 'Enter' || hasMoved.current || event.nativeEvent.isComposing) return
            event.preventDefault()
            const [first] = groupsFor(event.currentTarget.value, offered, docs)[0]?.commands ?? []
            if (first !== undefined) onChoose(first)
          }}
        />
      </div>
      <p className="hidden" role="status">
        {wanted.trim() === '' ? '' : count(total, 'result')}
      </p>
      <ComboboxList className="results" aria-label="Results" alwaysVisible>
        {groups.map(({ name, commands }) => (
          <ComboboxGroup key={name}>
            <ComboboxGroupLabel className="group">{name}</ComboboxGroupLabel>
            {commands.map((command) => (
              <ComboboxItem
                key={command.id}
                className="result"
                value={command.id}
                hideOnClick={false}
                setValueOnClick={false}
                focusOnHover
                onMouseMove={() => {
                  hasMoved.current = true
                }}
                onClick={() => onChoose(command)}
              >
                <span className="label">{command.label}</span>
                <span className="hint">{command.hint ?? (name === 'Found' ? command.group : '')}</span>
              </ComboboxItem>
            ))}
          </ComboboxGroup>
        ))}
      </ComboboxList>
      {total === 0 && <p className="none">Nothing matches “{wanted.trim()}”. Try fewer letters.</p>}
    </ComboboxProvider>
  )
}

type Offered = { readonly commands: readonly Command[]; readonly recent: readonly string[] }

function groupsFor(wanted: string, { commands, recent }: Offered, docs: readonly Command[]): readonly CommandGroup[] {
  if (wanted.trim() === '') return listCommands(commands, recent)
  return [
    { name: 'Found', commands: findCommands(commands, wanted, recent) },
    { name: 'Docs', commands: docs },
  ].filter((group) => group.commands.length > 0)
}

const none: readonly Command[] = []

function useDocs(wanted: string): readonly Command[] {
  const search = useRested(wanted.trim(), docsRestMs)
  const { data } = useQuery({
    queryKey: ['docs', search],
    queryFn: ({ signal }) => ask<FoundDocs>('GET', `/v1/docs?search=${encodeURIComponent(search)}`, { signal }),
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(
    () =>
      wanted.trim().length < 2
        ? none
        : (data?.results ?? []).map(({ url, page, heading }) => ({
            id: `docs ${url}`,
            group: 'Docs',
            label: heading,
            hint: page,
            run: () => void window.open(url, '_blank', 'noopener'),
          })),
    [data, wanted],
  )
}

const recentKey = 'recent-commands'
const mostRecent = 20

/** What was chosen lately in the palette, the latest first; kept by this browser. */
function recentCommands(): readonly string[] {
  return (recall(recentKey) ?? '').split('\n').filter((id) => id !== '')
}

function noteCommand(id: string): void {
  const others = recentCommands().filter((one) => one !== id)
  remember(recentKey, [id, ...others].slice(0, mostRecent).join('\n'))
}
