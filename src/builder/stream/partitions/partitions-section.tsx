/** How a stream is cut into parts that are read one after the other: by a list, by the records of another stream. */
import { useMemo } from 'react'
import { isObject } from '../../../std/values/objects.ts'
import { type StreamPlace, useStreams } from '../../editor/use-streams.ts'
import { Section } from '../../fields/section.tsx'
import { SharedNote } from '../../fields/shared-note.tsx'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { ComponentFrame } from '../components/component-frame.tsx'
import '../components/component-list.css'
import { useOptional } from '../components/use-optional.ts'
import { useParts } from '../use-parts.ts'
import { addRouter, newRouter, removeRouter, routerKindOf, routerLabels, routerPaths } from './routers.ts'
import { lazyPart } from '../../lazy-part.tsx'

/** Most streams are not cut. */
const RouterForm = lazyPart(() => import('./router-form.tsx').then((loaded) => loaded.RouterForm), { waiting: null })

export function PartitionsSection({ stream }: { stream: StreamPlace }) {
  const { retrieverAt } = useParts(stream.path)
  const at = [...retrieverAt, 'partition_router']
  const root = useSession(({ document }) => document.value)
  const store = useSessionStore()
  const parents = useParents(stream)
  const { value, isOn, onSwitch } = useOptional(at, newRouter(root, 'ListPartitionRouter', parents))
  const paths = routerPaths(at, value)
  const routers: readonly unknown[] = Array.isArray(value) ? value : [value]
  return (
    <Section
      title="Partitioning"
      summary={isOn ? routers.map(titleOf).join(' × ') : 'one slice'}
      isOn={isOn}
      onSwitch={onSwitch}
    >
      <SharedNote at={[at]} />
      {paths.length > 1 && (
        <p className="section-help">Every value of one is combined with every value of the others.</p>
      )}
      {paths.map((routerAt, index) => (
        <ComponentFrame
          key={routerAt.join('/')}
          title={titleOf(routers[index])}
          position={paths.length > 1 ? index + 1 : null}
          onRemove={() =>
            paths.length === 1 ? onSwitch(false) : store.edit(removeRouter(store.get().document.text, at, index))
          }
        >
          <RouterForm at={routerAt} stream={stream} parents={parents} />
        </ComponentFrame>
      ))}
      <div className="add-component">
        <button
          type="button"
          className="button quiet small"
          onClick={() =>
            store.edit(addRouter(store.get().document.text, at, newRouter(root, 'ListPartitionRouter', parents)))
          }
        >
          <span aria-hidden="true">+</span> Add partition
        </button>
      </div>
    </Section>
  )
}

/** No stream is its own parent, and templates of streams are none. */
function useParents(stream: StreamPlace): readonly StreamPlace[] {
  const streams = useStreams()
  return useMemo(
    () => streams.filter(({ name, kind }) => name !== stream.name && kind === 'written'),
    [streams, stream],
  )
}

function titleOf(router: unknown): string {
  const kind = routerKindOf(router)
  if (kind !== null) return routerLabels[kind]
  const { type } = isObject(router) ? router : {}
  return typeof type === 'string' ? type : 'Partition'
}
