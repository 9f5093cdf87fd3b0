import type { ComponentChildren } from 'preact'
import type { ReadTx } from '../../db/port.ts'
import { leftOut } from '../../imports/left-out.ts'
import * as imports from '../../imports/rules.ts'
import type { Counts, ImportLine } from '../../imports/schemas.ts'
import type { Job } from '../../jobs/schemas.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { Banner, ButtonLink, Head, Live, PostButton, Tabs } from '../../web/components/parts.tsx'
import { withQuery } from '../../web/link.ts'
import { Pages, Table } from '../../web/lists/list.tsx'
import type { OfEvent } from '../asked.ts'
import { button } from '../button.ts'
import { download } from '../download.ts'
import { isOfStarter, tellCode } from '../job-kinds.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'
import { lineList, tellLine } from './import-lines.tsx'

type Fate = ImportLine['fate']

/** How often the progress is looked at, in seconds: with the script, and without it. */
const EVERY = 2
const REFRESH = 5
const SHOWN = 50
const MOST_COUNTED = 10_000

/** In the order of their tabs. */
const tabs = ['new', 'known', 'sold_out', 'wrong', 'added', 'read'] as const satisfies readonly Fate[]

interface Result {
  counts: Readonly<Record<Fate, number>>
  fate: Fate
  lines: readonly ImportLine[]
  /** The line that the page begins after. */
  after: number | undefined
  hasMore: boolean
  typeNames: ReadonlyMap<string, string>
}

export function uploadOf(tx: ReadTx, { account, event, params }: OfEvent): Promise<imports.Upload> {
  return imports.get(tx, account.id, params.job ?? '', event.id)
}

/** An upload with what becomes of its lines: while they are checked, before the import, during it, and afterwards. */
export const guestImport = showPage('event', {
  path: '/e/{event}/guests/import/{job}',
  permission: 'guests.edit',
  load: async (tx, asked) => {
    const upload = await uploadOf(tx, asked)
    return { upload, result: upload.isUnderWay ? undefined : await readResult(tx, asked, upload) }
  },
  view: ({ upload, result }, asked) => {
    const { imports: texts } = asked.voice.texts
    const title = upload.input.name || texts.pasted
    const crumbs = <a href={paths.importGuests(asked.event.id)}>{texts.title}</a>
    return {
      title,
      refresh: result === undefined ? REFRESH : undefined,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={crumbs} />
          <Live id="import" every={result === undefined ? EVERY : undefined}>
            {result === undefined ? (
              <UnderWay upload={upload} asked={asked} />
            ) : (
              <Outcome upload={upload} result={result} asked={asked} />
            )}
          </Live>
        </>
      ),
    }
  },
})

async function readResult(tx: ReadTx, asked: OfEvent, { job, imported }: imports.Upload): Promise<Result> {
  const { account, event, query } = asked
  const counts = await imports.countLines(tx, account.id, job.id, MOST_COUNTED)
  const chosen = tabs.find(fate => fate === query.get('fate'))
  const likely = (imported === undefined ? 'new' : 'added') satisfies Fate
  const fate = chosen ?? (counts[likely] > 0 ? likely : (tabs.find(one => counts[one] > 0) ?? likely))
  const after = Number.parseInt(query.get('after') ?? '', 10) || undefined
  const page = { after: after ?? 0, limit: SHOWN, fate }
  const lines = await imports.listLines(tx, account.id, job.id, page)
  const last = lines.at(-1)?.line
  const more =
    last === undefined ? [] : await imports.listLines(tx, account.id, job.id, { after: last, limit: 1, fate })
  const types = await registrationTypes.listByEvent(tx, account.id, event.id)
  const typeNames = new Map(types.map(({ id, name }) => [id, name]))
  return { counts, fate, lines, after, hasMore: more.length > 0, typeNames }
}

interface PartProps {
  upload: imports.Upload
  asked: OfEvent
}

function UnderWay({ upload: { job, imported }, asked: { event, voice } }: PartProps) {
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
      <PostButton action={paths.stopImport(event.id, job.id)}>{texts.imports.stop}</PostButton>
    </div>
  )
}

function Outcome({ upload, result, asked }: PartProps & { result: Result }) {
  const { event, voice } = asked
  const { imports: texts } = voice.texts
  const { job, input, imported, left } = upload
  const { counts, fate, lines, after, hasMore } = result
  const path = paths.guestImport(event.id, job.id)
  const next = hasMore ? String(lines.at(-1)?.line) : undefined
  return (
    <>
      <Told upload={upload} asked={asked} />
      <div class="row">
        {job.state === 'done' && left > 0 && (
          <ButtonLink href={paths.startImport(event.id, job.id)} main>
            {texts.importN(left)}
          </ButtonLink>
        )}
        {imported !== undefined && (
          <ButtonLink href={paths.guests(event.id)} main={left === 0}>
            {texts.toGuests}
          </ButtonLink>
        )}
        <ButtonLink href={paths.importColumns(event.id, job.id)}>{texts.changeColumns}</ButtonLink>
        {counts.wrong + counts.sold_out > 0 && (
          <ButtonLink href={paths.linesLeftOut(event.id, job.id)}>{texts.download}</ButtonLink>
        )}
        <ButtonLink href={paths.importGuests(event.id)}>{texts.another}</ButtonLink>
      </div>
      <Tabs
        label={texts.tabsLabel}
        tabs={tabs
          .filter(one => counts[one] > 0 || (one !== 'added' && one !== 'read'))
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

function countOf(count: number, { format }: OfEvent['voice']): string {
  return count >= MOST_COUNTED ? `${format.number(MOST_COUNTED)}+` : format.number(count)
}

/** What came of it so far. */
function Told({ upload: { job, imported, left }, asked: { voice } }: PartProps) {
  const { imports: texts } = voice.texts
  if (imported === undefined) return <CheckTold job={job} left={left} texts={voice.texts} />
  const { added = 0, known = 0, wrong = 0, sold_out = 0 } = (imported.outcome ?? {}) as Partial<Counts>
  const notAdded = known + wrong + sold_out
  if (imported.state === 'failed') return <Failed job={imported} texts={voice.texts} />
  return (
    <Banner tone={imported.state === 'done' && notAdded === 0 ? 'good' : 'warn'}>
      <p>
        {texts.added(added)} {imported.state === 'stopped' && left > 0 && texts.stopped(left)}{' '}
        {notAdded > 0 && texts.notAdded(notAdded)}
      </p>
    </Banner>
  )
}

interface CheckProps {
  job: Job
  texts: OfEvent['voice']['texts']
}

function CheckTold({ job, left, texts }: CheckProps & { left: number }): ComponentChildren {
  if (job.state === 'failed') return <Failed job={job} texts={texts} />
  const { imports: said } = texts
  if (job.state !== 'done') return <Banner tone="warn">{said.notChecked}</Banner>
  const { twice = 0 } = (job.outcome ?? {}) as Partial<Counts>
  return (
    <>
      <Banner tone={left > 0 ? 'good' : 'warn'}>{said.found(left)}</Banner>
      {twice > 0 && left > 0 && <Banner tone="warn">{said.twice(twice)}</Banner>}
    </>
  )
}

function Failed({ job, texts }: CheckProps) {
  if (isOfStarter(job)) return <Banner tone="bad">{tellCode(job, texts)}</Banner>
  const { failed, gone } = texts.imports
  return <Banner tone="bad">{job.outcome?.code === 'internal_error' ? failed : gone}</Banner>
}

/** Stops the check or the import: what was added stays, and it can go on. */
export const stopImport = button('event', {
  path: '/e/{event}/guests/import/{job}/stop',
  permission: 'guests.edit',
  act: async (tx, asked) => {
    const { job } = await uploadOf(tx, asked)
    await imports.stop(tx, asked.account.id, job.id)
    return job
  },
  entry: ({ params }) => ({ action: 'import.stop', targetType: 'job', targetId: params.job }),
  next: ({ id }, { event }) => ({ path: paths.guestImport(event.id, id) }),
  back: ({ event, params }) => paths.guestImport(event.id, params.job ?? ''),
})

/** The lines that are left out, as a file to be mended and uploaded again. */
export const linesLeftOut = download('event', {
  path: '/e/{event}/guests/import/{job}/left-out',
  permission: 'guests.edit',
  open: async (reader, asked) => {
    const { job } = await reader.read(tx => uploadOf(tx, asked))
    const { texts, format } = asked.voice
    const words = { language: format.language, tell: tellLine.bind(undefined, texts) }
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `${job.id}.csv`,
      chunks: leftOut(reader, asked.account.id, job.id, words),
    }
  },
})
