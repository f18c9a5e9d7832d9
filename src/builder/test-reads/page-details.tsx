/** The page that is looked at, and what the whole read amounts to: request, response, records, schema, logs, receipt. */
import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ReadPage } from '../../server/wire/test-read.ts'
import { Worded } from '../fields/inline-code.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { type Details, showDetails, useDetails } from './open-tab.ts'
import { auxiliaryExchange, exchangeParts, pageExchange, type DetailsPart } from './exchange/exchange-parts.tsx'
import { ReceiptView } from './outcome/receipt-view.tsx'
import { SchemaView } from './outcome/schema-view.tsx'
import type { Auxiliary, ReadNotice, ReadState } from './read-state.ts'
import { RecordsView } from './records/records-view.tsx'
import { useEarlierTests } from './read-store.ts'
import type { Testing } from './use-test.ts'
import { formWords } from '../yaml/place-words.ts'
import { duration } from '../durations.ts'
import './outcome/outcome.css'

const CompareView = lazyPart(() => import('./compare/compare-view.tsx').then((loaded) => loaded.CompareView))
const DiagnosisView = lazyPart(() => import('../diagnosis/diagnosis-view.tsx').then((loaded) => loaded.DiagnosisView))
const SurveyView = lazyPart(() => import('../survey/survey-view.tsx').then((loaded) => loaded.SurveyView))

/** From this width on, request and response are shown side by side. */
const wideFrom = 760

export function PageDetails({
  read,
  page,
  auxiliary,
  stream,
  testing,
}: {
  /** Null before the first test: diagnosis and survey need none. */
  read: ReadState | null
  page: ReadPage | null
  auxiliary: Auxiliary | null
  stream: string
  testing: Testing
}) {
  const box = useRef<HTMLDivElement>(null)
  const isWide = useIsWide(box, wideFrom)
  const chosen = useDetails()
  const earlier = useEarlierTests()
  const parts: readonly DetailsPart[] = [
    ...(read === null ? [] : readParts({ read, page, auxiliary, isWide })),
    ...(read === null || earlier.length === 0
      ? []
      : [{ id: 'compare' as const, title: 'Compare', content: <CompareView read={read} earlier={earlier} /> }]),
    { id: 'diagnosis', title: 'Diagnosis', content: <DiagnosisView stream={stream} testing={testing} /> },
    { id: 'survey', title: 'Stress test', content: <SurveyView stream={stream} /> },
  ]
  const shown = parts.find(({ id }) => id === chosen) ?? parts[0]
  return (
    <div ref={box} className="page-details">
      <TabProvider selectedId={shown?.id ?? null} setSelectedId={(id) => showDetails((id ?? 'records') as Details)}>
        <TabList className="tabs" aria-label={auxiliary === null ? pageTitle(page) : auxiliary.title}>
          {parts.map(({ id, title }) => (
            <Tab key={id} id={id} className="tab">
              {title}
            </Tab>
          ))}
        </TabList>
        {shown !== undefined && (
          <TabPanel key={shown.id} tabId={shown.id} className="tab-panel" focusable={false}>
            {shown.content}
          </TabPanel>
        )}
      </TabProvider>
    </div>
  )
}

/** Parts that are about the stream, whether or not it was read. */
export function isProof(details: Details): boolean {
  return details === 'diagnosis' || details === 'survey'
}

type ReadDetails = {
  readonly read: ReadState
  readonly page: ReadPage | null
  readonly auxiliary: Auxiliary | null
  readonly isWide: boolean
}

function readParts({ read, page, auxiliary, isWide }: ReadDetails): DetailsPart[] {
  const exchange = auxiliary === null ? pageExchange(read, page) : auxiliaryExchange(auxiliary)
  const hasRecords = auxiliary === null && (page !== null || read.status === 'reading')
  const records =
    page === null ? (
      <p className="quiet-words">Waiting for the first page. Its records appear here.</p>
    ) : (
      <RecordsView read={read} page={page} />
    )
  return [
    ...(hasRecords ? [{ id: 'records' as const, title: 'Records', content: records }] : []),
    ...exchangeParts(exchange, isWide),
    { id: 'schema', title: 'Schema', content: <SchemaView read={read} /> },
    { id: 'logs', title: logsTitle(read), content: <LogsView notices={read.notices} /> },
    { id: 'receipt', title: 'Receipt', content: <ReceiptView read={read} /> },
  ]
}

function logsTitle({ notices }: ReadState): string {
  const grave = notices.filter(({ level }) => level !== 'info').length
  return grave === 0 ? 'Logs' : `Logs ${grave}`
}

function pageTitle(page: ReadPage | null): string {
  return page === null ? 'The test' : `Page ${page.page + 1}`
}

function LogsView({ notices }: { notices: readonly ReadNotice[] }) {
  if (notices.length === 0) return <p className="quiet-words">Nothing out of the ordinary was logged.</p>
  return (
    <ol className="logs" aria-label="Logs">
      {notices.map(({ at, level, text, waitMs }, index) => (
        <li key={index} data-level={level}>
          <time>{duration(at)}</time>
          <b>{level}</b>
          <span>
            <Worded text={formWords(text)} />
            {waitMs !== undefined && `, waited ${duration(waitMs)}`}
          </span>
        </li>
      ))}
    </ol>
  )
}

function useIsWide(box: RefObject<HTMLElement | null>, fromWidth: number): boolean {
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= fromWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, fromWidth])
  return isWide
}
