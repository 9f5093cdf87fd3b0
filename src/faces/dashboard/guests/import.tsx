import type { ComponentChildren } from 'preact'
import { describeCode, isOfStarter } from '#faces/dashboard/administration/job-kinds.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { download } from '#faces/dashboard/frame/download.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, Head, Live, PostButton, Tabs } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { Pages, Table } from '#machinery/web/lists/list.tsx'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { leftOut } from '#product/guests/imports/left-out.ts'
import * as imports from '#product/guests/imports/rules.ts'
import type { Counts, ImportLine } from '#product/guests/imports/schemas.ts'
import { describeLine, lineList } from './import-lines.tsx'
import { hasExtras, NextSteps } from './import-next.tsx'

type Fate = ImportLine['fate']

/** The page looks at the progress this often, in seconds. `REFRESH` applies without the script. */
const EVERY = 2
const REFRESH = 5
const SHOWN = 50
/** So many wrong lines are named by their number once the others are imported. */
const MOST_NAMED = 5
const MOST_COUNTED = 10_000

/** The tabs stand in this order. */
const tabs = [
  'new',
  'known',
  'sold_out',
  'wrong',
  'left_out',
  'added',
  'read',
] as const satisfies readonly Fate[]

/** These are shown only if there are such lines. */
const onlyWithLines: readonly Fate[] = ['left_out', 'added', 'read']

interface Result {
  counts: Readonly<Record<Fate, number>>
  fate: Fate
  lines: readonly ImportLine[]
  /** The line after which the page begins. */
  after: number | undefined
  hasMore: boolean
  typeNames: ReadonlyMap<string, string>
  /** Whether the event has a type that is not on sale, as those made from an export are. */
  hasOffSale: boolean
  /** The first lines that have something wrong. */
  wrong: readonly number[]
}

export function uploadOf(tx: ReadTx, { event, params }: EventRequest): Promise<imports.Upload> {
  return imports.get(tx, params.job ?? '', event.id)
}

/** Shows an upload with what becomes of its lines: during the check, before the import, during it, and afterwards. */
export const guestImport = showPage('event', {
  path: '/e/{event}/guests/import/{job}',
  permission: 'guests.edit',
  load: async (tx, request) => {
    const upload = await uploadOf(tx, request)
    return { upload, result: upload.isUnderWay ? undefined : await readResult(tx, request, upload) }
  },
  view: ({ upload, result }, request) => {
    const { imports: texts } = request.voice.texts
    const title = upload.input.name || texts.pasted
    const crumbs = <a href={paths.importGuests(request.event.id)}>{texts.title}</a>
    return {
      title,
      refresh: result === undefined ? REFRESH : undefined,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={crumbs} />
          <Live id="import" every={result === undefined ? EVERY : undefined}>
            {result === undefined ? (
              <UnderWay upload={upload} request={request} />
            ) : (
              <Outcome upload={upload} result={result} request={request} />
            )}
          </Live>
        </>
      ),
    }
  },
})

async function readResult(
  tx: ReadTx,
  request: EventRequest,
  { job, imported }: imports.Upload,
): Promise<Result> {
  const { event, query } = request
  const counts = await imports.countLines(tx, job.id, MOST_COUNTED)
  const chosen = tabs.find(fate => fate === query.get('fate'))
  const likely = (imported === undefined ? 'new' : 'added') satisfies Fate
  const fate = chosen ?? (counts[likely] > 0 ? likely : (tabs.find(one => counts[one] > 0) ?? likely))
  const after = Number.parseInt(query.get('after') ?? '', 10) || undefined
  const page = { after: after ?? 0, limit: SHOWN, fate }
  const lines = await imports.listLines(tx, job.id, page)
  const last = lines.at(-1)?.line
  const more = last === undefined ? [] : await imports.listLines(tx, job.id, { after: last, limit: 1, fate })
  const types = await registrationTypes.listByEvent(tx, event.id)
  const typeNames = new Map(types.map(({ id, name }) => [id, name]))
  const wrong = await imports.listLines(tx, job.id, { after: 0, limit: MOST_NAMED, fate: 'wrong' })
  return {
    ...{ counts, fate, lines, after, hasMore: more.length > 0, typeNames },
    hasOffSale: types.some(({ active }) => !active),
    wrong: wrong.map(({ line }) => line),
  }
}

interface PartProps {
  upload: imports.Upload
  request: EventRequest
}

function UnderWay({ upload: { job, imported }, request: { event, voice } }: PartProps) {
  const { texts, format } = voice
  const { done, total } = imported ?? job
  const about = texts.imports.progress(format.number(done), format.number(total ?? 0))
  return (
    <div class="card stack">
      <h2>{imported === undefined ? texts.imports.checking : texts.imports.importing}</h2>
      <progress value={done} max={Math.max(total ?? 0, 1)} aria-label={about} />
      <p>
        {about}. {texts.imports.live}
      </p>
      <PostButton action={paths.guestImport(event.id, job.id, 'stop')}>{texts.imports.stop}</PostButton>
    </div>
  )
}

function Outcome({ upload, result, request }: PartProps & { result: Result }) {
  const { event, voice } = request
  const { imports: texts } = voice.texts
  const { job, input } = upload
  const { counts, fate, lines, after, hasMore } = result
  const path = paths.guestImport(event.id, job.id)
  const next = hasMore ? String(lines.at(-1)?.line) : undefined
  return (
    <>
      <ResultBanner upload={upload} result={result} request={request} />
      <NextSteps upload={upload} result={result} request={request} />
      <Tabs
        label={texts.tabsLabel}
        tabs={tabs
          .filter(one => counts[one] > 0 || !onlyWithLines.includes(one))
          .map(one => ({
            href: withQuery(path, { fate: one }),
            text: texts.tabs[one],
            isCurrent: one === fate,
            count: countOf(counts[one], voice),
          }))}
      />
      {lines.length === 0 ? (
        <p class="card quiet">{texts.none[fate]}</p>
      ) : (
        <Table list={lineList(input, texts.tabs[fate], result)} rows={lines} voice={voice} />
      )}
      <Pages
        {...{ path, next, texts: voice.texts, shown: lines.length }}
        query={{ fate, after: after === undefined ? undefined : String(after) }}
        isForward
      />
    </>
  )
}

function countOf(count: number, { format }: EventRequest['voice']): string {
  return count >= MOST_COUNTED ? `${format.number(MOST_COUNTED)}+` : format.number(count)
}

/** Shows the result so far. */
function ResultBanner({ upload: { job, imported, left }, result, request }: PartProps & { result: Result }) {
  const { voice } = request
  const { imports: texts } = voice.texts
  const { counts, wrong: named } = result
  if (imported === undefined) return <CheckBanner job={job} left={left} texts={voice.texts} />
  const { added = 0, known = 0, wrong = 0, sold_out = 0 } = (imported.outcome ?? {}) as Partial<Counts>
  const notAdded = known + wrong + sold_out
  if (imported.state === 'failed') return <Failed job={imported} texts={voice.texts} />
  return (
    <Banner tone={imported.state === 'done' && notAdded === 0 ? 'good' : 'warn'}>
      <p>
        {(hasExtras(job) ? texts.addedLines : texts.added)(added)}{' '}
        {imported.state === 'stopped' && left > 0 && texts.stopped(left)}{' '}
        {notAdded > 0 && texts.notAdded(notAdded)}
      </p>
      {named.length > 0 && (
        <p>
          {texts.leftWrong(counts.wrong, nameLines(named, counts.wrong, voice))}{' '}
          <a href={withQuery(paths.guestImport(request.event.id, job.id), { fate: 'wrong' })}>
            {texts.seeWrong}
          </a>
        </p>
      )}
    </Banner>
  )
}

/** Names lines by their numbers, and says how many more there are. */
function nameLines(named: readonly number[], all: number, { texts, format }: EventRequest['voice']): string {
  const more = all - named.length
  return format.list([
    ...named.map(line => format.number(line)),
    ...(more > 0 ? [texts.imports.more(format.number(more))] : []),
  ])
}

interface CheckProps {
  job: Job
  texts: EventRequest['voice']['texts']
}

function CheckBanner({ job, left, texts }: CheckProps & { left: number }): ComponentChildren {
  if (job.state === 'failed') return <Failed job={job} texts={texts} />
  const { imports: labels } = texts
  if (job.state !== 'done') return <Banner tone="warn">{labels.notChecked}</Banner>
  const { twice = 0, left_out = 0, extras = 0 } = (job.outcome ?? {}) as Partial<Counts>
  // An extra has a line of its own.
  const guests = left - extras
  const found =
    extras === 0
      ? labels.found(guests)
      : guests > 0
        ? `${labels.found(guests)} ${labels.foundExtras(extras)}`
        : labels.foundExtrasAlone(extras)
  return (
    <>
      <Banner tone={left > 0 ? 'good' : 'warn'}>
        {found} {left_out > 0 && labels.voided(left_out)}
      </Banner>
      {twice > 0 && left > 0 && <Banner tone="warn">{labels.twice(twice)}</Banner>}
    </>
  )
}

function Failed({ job, texts }: CheckProps) {
  if (isOfStarter(job)) return <Banner tone="bad">{describeCode(job, texts)}</Banner>
  const { failed, gone } = texts.imports
  return <Banner tone="bad">{job.outcome?.code === 'internal_error' ? failed : gone}</Banner>
}

/** Stops the check or the import. What was added stays, and the work can go on later. */
export const stopImport = button('event', {
  path: '/e/{event}/guests/import/{job}/stop',
  permission: 'guests.edit',
  act: async (tx, request) => {
    const { job } = await uploadOf(tx, request)
    await imports.stop(tx, job.id)
    return job
  },
  entry: ({ params }) => ({ action: 'import.stop', targetType: 'job', targetId: params.job }),
  next: ({ id }, { event }) => ({ path: paths.guestImport(event.id, id) }),
  back: ({ event, params }) => paths.guestImport(event.id, params.job ?? ''),
})

/** Sends the lines that are left out as a file, to correct and upload again. */
export const linesLeftOut = download('event', {
  path: '/e/{event}/guests/import/{job}/left-out',
  permission: 'guests.edit',
  open: async (reader, request) => {
    const { job } = await reader.read(request.account.id, tx => uploadOf(tx, request))
    const { texts, format } = request.voice
    const words = { language: format.language, tell: describeLine.bind(undefined, texts) }
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `${job.id}.csv`,
      chunks: leftOut(reader, request.account.id, job.id, words),
    }
  },
})
