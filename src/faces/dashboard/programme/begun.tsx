import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Empty, Head, Mail, Pill, Time } from '#machinery/web/components/parts.tsx'
import { type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import { type Begun, listBegun } from '#product/programme/submissions/begun.ts'

const PER_PAGE = 50

interface Loaded {
  rows: readonly Begun[]
  next: string | undefined
}

/** Lists what was begun and never sent: whose it is, and not what it says. */
export const begunPage = showPage('event', {
  path: '/e/{event}/abstracts/begun',
  permission: 'abstracts',
  load: async (tx, request, { cursors }): Promise<Loaded> => {
    const { event } = request
    const scope = `begun ${event.id}`
    const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, request) }
    const found = await listBegun(tx, event.id, page)
    return { rows: found.slice(0, PER_PAGE), next: toNext(cursors, scope, found, PER_PAGE) }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.submitters.begun,
    body: <BegunList {...loaded} request={request} />,
  }),
})

const listOf = ({ event }: EventRequest): List<Begun> => ({
  caption: ({ submitters }) => submitters.begunCaption,
  columns: [
    {
      label: ({ submitters }) => submitters.person,
      place: 'name',
      cell: ({ submitter_id, name }) => (
        <a href={paths.submitter(event.id, submitter_id)}>
          <bdi>{name}</bdi>
        </a>
      ),
    },
    {
      label: ({ submitters }) => submitters.email,
      place: 'line',
      cell: ({ email, is_confirmed }, { texts }) => (
        <>
          <Mail address={email} /> {!is_confirmed && <Pill tone="warn">{texts.abstracts.unconfirmed}</Pill>}
        </>
      ),
    },
    {
      label: ({ submitters }) => submitters.saved,
      place: 'when',
      isNumber: true,
      cell: ({ saved_at }, { format }) => <Time at={saved_at} format={format} />,
    },
  ],
})

function BegunList({ rows, next, request }: Loaded & { request: EventRequest }) {
  const { event, voice, query } = request
  const { submitters: texts, abstracts } = voice.texts
  const after = query.get('after') ?? undefined
  return (
    <>
      <Head
        title={texts.begun}
        crumbs={<a href={paths.abstracts(event.id)}>{abstracts.title}</a>}
        about={texts.begunAbout}
      />
      {rows.length === 0 && after === undefined ? (
        <Empty icon="paper" title={texts.begunNone}>
          {texts.begunNoneAbout}
        </Empty>
      ) : (
        <Table list={listOf(request)} rows={rows} voice={voice} />
      )}
      <Pages
        path={paths.begunAbstracts(event.id)}
        query={{ after }}
        shown={rows.length}
        next={next}
        texts={voice.texts}
      />
    </>
  )
}
