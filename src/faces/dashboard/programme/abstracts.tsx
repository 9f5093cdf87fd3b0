import { readCursor } from '#faces/dashboard/frame/list-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Empty, Head, Time } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type List, ListTools, Pages, type Query, Table } from '#machinery/web/lists/list.tsx'
import {
  type BriefAbstract,
  countByStatus,
  countUnconfirmed,
  countWithdrawn,
  listOfEvent,
} from '#product/programme/abstracts/of-event.ts'
import { decisions } from '#product/programme/abstracts/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { readAbstractQuery } from './abstract-query.ts'
import { AbstractState } from './abstract-status.tsx'
import { type Counts, type OtherCounts, StateTabs, tellAll } from './abstract-tabs.tsx'
import { RemindCard } from './abstracts-unconfirmed.tsx'
import { CallCard, readStanding, type Standing, ToCall } from './call-card.tsx'

/** A page has as many abstracts as one write decides. */
export const PER_PAGE = 20
/** The id of the part that the search renews while somebody types. */
const RESULTS = 'results'

interface Row extends BriefAbstract {
  href: string
}

const list: List<Row> = {
  caption: texts => texts.abstracts.caption,
  pick: { id: ({ id }) => id, label: ({ title }, { texts }) => texts.abstracts.select(title) },
  columns: [
    {
      label: texts => texts.abstracts.name,
      place: 'name',
      cell: ({ code, title, href }) => (
        <a href={href}>
          <bdi class="quiet">{code}</bdi> <bdi>{title}</bdi>
        </a>
      ),
    },
    {
      label: texts => texts.abstracts.by,
      place: 'line',
      cell: ({ authors }, { texts }) => <bdi>{nameAuthors(authors, texts)}</bdi>,
    },
    {
      label: texts => texts.abstracts.state,
      place: 'amount',
      cell: (row, { texts }) => <AbstractState {...row} texts={texts} />,
    },
    {
      label: texts => texts.abstracts.submitted,
      place: 'when',
      isNumber: true,
      cell: ({ submitted_at }, { format }) =>
        submitted_at === null ? '' : <Time at={submitted_at} format={format} />,
    },
  ],
}
const { pick: _, ...listOnly } = list

function nameAuthors(authors: BriefAbstract['authors'], { abstracts: texts }: Texts): string {
  const [first] = authors
  return first === undefined ? '' : texts.andOthers(first.name, authors.length - 1)
}

interface Loaded {
  query: Query
  rows: readonly Row[]
  next: string | undefined
  counts: Counts
  others: OtherCounts
  standing: Standing | undefined
  /** The whole list, from its beginning, also says where the call stands. A part of it has its place for itself. */
  isWhole: boolean
}

/** Lists what was submitted to an event. */
export const abstractsPage = showPage('event', {
  path: '/e/{event}/abstracts',
  permission: 'abstracts',
  navigation: {
    icon: 'paper',
    text: texts => texts.navigation.abstracts,
    isShown: ({ takes_abstracts }) => takes_abstracts,
  },
  load: async (tx, request, services): Promise<Loaded> => {
    const { cursors } = services
    const { account, event } = request
    const { wanted, query } = readAbstractQuery(request)
    const scope = JSON.stringify(['abstracts', account.id, wanted])
    const page = { limit: PER_PAGE, after: readCursor(cursors, scope, request) }
    const { rows, next } = await listOfEvent(tx, wanted, page)
    return {
      query,
      rows: rows.map(row => ({ ...row, href: withQuery(paths.abstract(event.id, row.id), query) })),
      next: next && cursors.encode(scope, next),
      counts: await countByStatus(tx, event.id),
      others: {
        unconfirmed: await countUnconfirmed(tx, event.id),
        withdrawn: await countWithdrawn(tx, event.id),
      },
      isWhole: [query.q, query.status, request.query.get('after')].every(each => !each),
      standing: await readStanding(tx, request, services),
    }
  },
  view: (loaded, request) => {
    const { title } = request.voice.texts.abstracts
    return { title, body: <Abstracts {...loaded} request={request} /> }
  },
})

function Abstracts({ request, ...loaded }: Loaded & { request: EventRequest }) {
  const { texts } = request.voice
  const { counts, others, standing, isWhole } = loaded
  const isEmpty = [...Object.values(counts), others.withdrawn].every(count => count === 0)
  const setUp = standing === undefined && <ToCall request={request}>{texts.callSettings.setUp}</ToCall>
  const add = standing !== undefined && (
    <>
      <ButtonLink href={paths.newAbstract(request.event.id)}>{texts.abstractAdding.title}</ButtonLink>
      <ButtonLink href={paths.importAbstracts(request.event.id)}>{texts.abstractImports.title}</ButtonLink>
    </>
  )
  return (
    <>
      <Head
        title={texts.abstracts.title}
        actions={
          <>
            {add}
            {!isEmpty && setUp}
            {(!isEmpty || standing !== undefined) && <Ways isEmpty={isEmpty} request={request} />}
          </>
        }
      />
      <div class="stack">
        {standing !== undefined && (isWhole || isEmpty) && (
          <CallCard standing={standing} received={tellAll(counts, request.voice)} request={request} />
        )}
        {isEmpty ? (
          <Empty icon="paper" title={texts.abstracts.none} action={setUp}>
            {texts.abstracts.noneAbout}
          </Empty>
        ) : (
          <Received {...loaded} request={request} />
        )}
      </div>
    </>
  )
}

/** Leads on to what follows a call. Who reviews and where is settled while it is still open, so only decisions wait for abstracts. */
function Ways({ isEmpty, request }: { isEmpty: boolean; request: EventRequest }) {
  const { event, voice } = request
  const { texts } = voice
  return (
    <>
      <ButtonLink href={paths.review(event.id)}>{texts.reviewSettings.title}</ButtonLink>
      {!isEmpty && <ButtonLink href={paths.decisions(event.id)}>{texts.proposals.title}</ButtonLink>}
      <ButtonLink href={paths.programme(event.id)}>{texts.timetable.title}</ButtonLink>
    </>
  )
}

type ListProps = Omit<Loaded, 'standing' | 'isWhole'> & { request: EventRequest }

function Received({ request, ...loaded }: ListProps) {
  const { event, voice } = request
  const { query, counts, others } = loaded
  const path = paths.abstracts(event.id)
  return (
    <div>
      <ListTools
        path={path}
        query={query}
        voice={voice}
        search={voice.texts.abstracts.search}
        kept={['status']}
        results={RESULTS}
      />
      <div id={RESULTS}>
        <StateTabs {...{ path, query, counts, others, voice }} />
        {query.status === 'unconfirmed' && others.unconfirmed > 0 && <RemindCard request={request} />}
        <Found {...loaded} path={path} request={request} />
      </div>
    </div>
  )
}

function Found({
  query,
  rows,
  next,
  path,
  request,
}: Omit<ListProps, 'counts' | 'others'> & { path: string }) {
  const { event, voice } = request
  const { texts } = voice
  const after = request.query.get('after') ?? undefined
  const pages = (
    <Pages path={path} query={{ ...query, after }} shown={rows.length} next={next} texts={texts} />
  )
  if (rows.length === 0 && next === undefined && after === undefined) {
    return query.q === undefined ? (
      <p class="quiet">{texts.abstracts.noneInState}</p>
    ) : (
      <Empty icon="search" title={texts.abstracts.noneFound}>
        {texts.abstracts.noneFoundAbout}
      </Empty>
    )
  }
  if (rows.length === 0) {
    return (
      <>
        <p class="quiet">{texts.abstracts.noneHere}</p>
        {pages}
      </>
    )
  }
  // What was withdrawn is not decided.
  if (query.status === 'withdrawn' || !request.offers(paths.decideAbstracts(event.id))) {
    return (
      <>
        <Table list={listOnly} rows={rows} voice={voice} />
        {pages}
      </>
    )
  }
  return (
    <>
      <form method="get" action={paths.decideAbstracts(event.id)}>
        {Object.entries(query).map(([name, value]) =>
          value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <Table list={list} rows={rows} voice={voice} bulk={<Bulk texts={texts} />} />
      </form>
      {pages}
    </>
  )
}

function Bulk({ texts: { abstracts: texts } }: { texts: Texts }) {
  return (
    <>
      <span>{texts.withTicked}</span>
      {decisions.map(decision => (
        <button key={decision} type="submit" class="button" name="decision" value={decision}>
          {texts.decide[decision]}
        </button>
      ))}
    </>
  )
}
