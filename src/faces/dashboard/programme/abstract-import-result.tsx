import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Banner, ButtonLink, Head, Live, PostButton, Tabs } from '#machinery/web/components/parts.tsx'
import { faultOf } from '#machinery/web/forms/error-summary.tsx'
import { tickField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import { type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import * as jobs from '#product/administration/jobs/rules.ts'
import { findFaults } from '#product/programme/abstract-imports/judge.ts'
import * as imports from '#product/programme/abstract-imports/rules.ts'
import type { ImportLine } from '#product/programme/abstract-imports/schemas.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { submissionFields } from '#product/programme/submissions/submission-fields.ts'
import type { Texts } from '#texts/texts.ts'
import { speakToChairs } from './speak-to-chairs.ts'

const SHOWN = 50
/** The page looks at the progress this often, in seconds. `REFRESH` applies without the script. */
const EVERY = 2
const REFRESH = 5

/** The tabs stand in this order. */
const tabs = ['new', 'known', 'wrong', 'added'] as const
type Tab = (typeof tabs)[number]

interface Loaded {
  upload: imports.Upload
  call: Call
  fate: Tab
  lines: readonly ImportLine[]
  next: string | undefined
}

/** Shows what would come of each line of a table, how far adding them is, and what came of it. */
export const abstractImport = showPage('event', {
  path: '/e/{event}/abstracts/import/{import}',
  permission: 'abstracts',
  load: async (tx, { event, params, query }): Promise<Loaded> => {
    const upload = await imports.get(tx, event.id, params.import ?? '')
    const { counts } = upload
    const likely = upload.input.started ? 'added' : 'new'
    const fate =
      tabs.find(tab => tab === query.get('fate')) ??
      (counts[likely] > 0 ? likely : (tabs.find(tab => counts[tab] > 0) ?? likely))
    const after = Number.parseInt(query.get('after') ?? '', 10) || 0
    const page = { after, fate, limit: SHOWN + 1 }
    const lines = upload.isUnderWay ? [] : await imports.listLines(tx, upload.job.id, page)
    const shown = lines.slice(0, SHOWN)
    const next = lines.length > SHOWN ? String(shown.at(-1)?.line) : undefined
    return { upload, call: await calls.get(tx, event.id), fate, lines: shown, next }
  },
  view: (loaded, request) => {
    const { abstractImports: texts } = request.voice.texts
    const { upload } = loaded
    const title = upload.input.name || texts.unnamed
    return {
      title,
      refresh: upload.isUnderWay ? REFRESH : undefined,
      body: (
        <>
          <Head
            title={<bdi>{title}</bdi>}
            crumbs={<a href={paths.importAbstracts(request.event.id)}>{texts.title}</a>}
          />
          <Live id="import" every={upload.isUnderWay ? EVERY : undefined}>
            {upload.isUnderWay ? (
              <UnderWay {...loaded} request={request} />
            ) : (
              <Outcome {...loaded} request={request} />
            )}
          </Live>
        </>
      ),
    }
  },
})

type Props = Loaded & { request: EventRequest }

function UnderWay({ upload: { job }, request: { event, voice } }: Props) {
  const { texts, format } = voice
  const { abstractImports: labels } = texts
  const about = labels.progress(format.number(job.done), format.number(job.total ?? 0))
  return (
    <div class="card stack">
      <h2>{labels.adding}</h2>
      <progress value={job.done} max={Math.max(job.total ?? 0, 1)} aria-label={about} />
      <p>
        {about}. {labels.live}
      </p>
      <PostButton action={paths.stopAbstractImport(event.id, job.id)}>{labels.stop}</PostButton>
    </div>
  )
}

function Outcome({ upload, call, fate, lines, next, request }: Props) {
  const { event, voice } = request
  const { texts, format } = voice
  const { abstractImports: labels } = texts
  const { job, counts } = upload
  const path = paths.abstractImport(event.id, job.id)
  return (
    <div class="stack">
      <Result upload={upload} texts={texts} />
      <div class="row">
        {counts.new > 0 && (
          <ButtonLink href={paths.startAbstractImport(event.id, job.id)} main>
            {labels.addN(counts.new)}
          </ButtonLink>
        )}
        <ButtonLink href={paths.abstracts(event.id)}>{texts.abstracts.toList}</ButtonLink>
        {counts.wrong > 0 && (
          <ButtonLink href={paths.abstractsLeftOut(event.id, job.id)}>{texts.imports.download}</ButtonLink>
        )}
        <ButtonLink href={paths.importAbstracts(event.id)}>{labels.another}</ButtonLink>
      </div>
      <Tabs
        label={labels.tabsLabel}
        tabs={tabs.map(tab => ({
          href: withQuery(path, { fate: tab }),
          text: labels.tabs[tab],
          isCurrent: tab === fate,
          count: format.number(counts[tab]),
        }))}
      />
      {lines.length === 0 ? (
        <p class="card quiet">{labels.none}</p>
      ) : (
        <Table list={listOf(upload, call, request, labels.tabs[fate])} rows={lines} voice={voice} />
      )}
      <Pages
        {...{ path, next, texts, shown: lines.length }}
        query={{ fate, after: request.query.get('after') ?? undefined }}
        isForward
      />
    </div>
  )
}

function Result({ upload: { job, input, counts }, texts }: Pick<Loaded, 'upload'> & { texts: Texts }) {
  const { abstractImports: labels } = texts
  const isWhole = counts.wrong === 0
  if (!input.started)
    return (
      <Banner tone={counts.new > 0 && isWhole ? 'good' : 'warn'}>
        {counts.new > 0 ? labels.found(counts.new) : labels.nothing}
      </Banner>
    )
  return (
    <Banner tone={job.state === 'done' && isWhole ? 'good' : 'warn'}>
      {labels.added(counts.added)} {job.state === 'stopped' && labels.stopped}
      {job.state === 'failed' && labels.failed}
    </Banner>
  )
}

function listOf(
  { input }: imports.Upload,
  call: Call,
  { event }: EventRequest,
  caption: string,
): List<ImportLine> {
  const read = ({ cells }: ImportLine) => findFaults({ call, input }, cells)
  return {
    caption: () => caption,
    columns: [
      {
        label: texts => texts.abstractImports.line,
        place: 'amount',
        cell: ({ line }, { texts, format }) => (
          <span class="whole">{texts.abstractImports.lineAt(format.number(line))}</span>
        ),
      },
      {
        label: texts => texts.abstractImports.name,
        place: 'name',
        cell: line => <bdi>{read(line).read.draft.typed.title?.[0] || '–'}</bdi>,
      },
      {
        label: texts => texts.abstractImports.note,
        place: 'line',
        cell: (line, { texts }) => {
          const { abstract_id: id } = line.details
          if (id !== undefined) return <a href={paths.abstract(event.id, id)}>{texts.abstractImports.open}</a>
          return <bdi>{line.fate === 'wrong' ? describeLine(line, read(line), texts) : ''}</bdi>
        },
      },
    ],
  }
}

/** Fields whose values are one of several. */
const CHOSEN: ReadonlySet<string> = new Set(['topic', 'kind', 'language'])

/** Says what is wrong with a line: each fault behind the name of what it is about, as in the form of an abstract. */
export function describeLine(
  { details }: ImportLine,
  { read: { draft, of }, faults }: ReturnType<typeof findFaults>,
  texts: Texts,
): string {
  const { abstractImports: labels } = texts
  if (details.same_as !== undefined) return labels.sameAs(details.same_as)
  const { texts: ofForm } = speakToChairs({ texts }, texts.abstractAdding.form)
  const fields = submissionFields(of.call, draft, true, of.language)
  return [...faults.keys()]
    .map(name => {
      const { label, of: whose } = fields[name] ?? {}
      const named = [label?.(ofForm), whose?.(ofForm)].filter(Boolean).join(', ')
      const typed = draft.typed[name]?.[0] ?? ''
      // In the form there is a list to choose from; a cell may have anything.
      const isChosen = CHOSEN.has(name) && typed !== ''
      return labels.faultOf(
        named,
        isChosen ? labels.notOffered(typed) : (faultOf({ faults }, name, ofForm) ?? ''),
      )
    })
    .join(' ')
}

/** Asks before the lines are added. */
export const startAbstractImport = formPage('event', {
  path: '/e/{event}/abstracts/import/{import}/start',
  permission: 'abstracts',
  load: async (tx, { event, params }, { mail }) => ({
    upload: await imports.get(tx, event.id, params.import ?? ''),
    isSetUp: mail.isSetUp,
  }),
  fields: ({ isSetUp }) => {
    const tell = tickField({
      label: texts => texts.abstractImports.tell,
      help: texts => texts.abstractImports.tellHelp,
    })
    return isSetUp ? { tell } : ({} as { tell: typeof tell })
  },
  preview: ({ upload: { job, counts } }) => `${counts.new} ${job.state}`,
  parts: ({ upload: { job, counts } }, { event, voice }) => {
    const { abstractImports: texts } = voice.texts
    const others = counts.known + counts.wrong
    return {
      title: texts.addTitle(counts.new),
      crumbs: <a href={paths.importAbstracts(event.id)}>{texts.title}</a>,
      ...{ submit: texts.addN(counts.new), leave: paths.abstractImport(event.id, job.id) },
      will: [texts.will(counts.new), ...(others > 0 ? [texts.willLeave(others)] : []), texts.willNotDouble],
    }
  },
  act: (tx, request, { values, loaded: { upload } }) => {
    const of = { by: actorOf(request).who, isMailed: values.tell === true }
    return imports.start(tx, request.event.id, upload.job.id, of)
  },
  entry: ({ event }) => ({
    action: 'import.start',
    targetType: 'job',
    targetOf: ({ id }) => id,
    details: (_, job) => ({ event_id: event.id, lines: job?.total }),
  }),
  next: ({ id }, { event }) => ({ path: paths.abstractImport(event.id, id) }),
})

/** Stops adding. What was added stays, and the rest can be added later. */
export const stopAbstractImport = button('event', {
  path: '/e/{event}/abstracts/import/{import}/stop',
  permission: 'abstracts',
  act: async (tx, { event, params }) => {
    const { job } = await imports.get(tx, event.id, params.import ?? '')
    return jobs.stop(tx, job.id)
  },
  entry: ({ params }) => ({ action: 'import.stop', targetType: 'job', targetId: params.import }),
  next: ({ id }, { event }) => ({ path: paths.abstractImport(event.id, id) }),
  back: ({ event, params }) => paths.abstractImport(event.id, params.import ?? ''),
})
