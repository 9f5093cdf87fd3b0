import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Banner, ButtonLink, Empty, Head } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { ListTools, Pages, type Query, Table } from '#machinery/web/lists/list.tsx'
import type { Sorting } from '#machinery/web/lists/sort-links.tsx'
import { isFromHighest, type Order, sorts } from '#product/programme/decisions/narrowing.ts'
import type { Standings } from '#product/programme/decisions/standings.ts'
import type { Texts } from '#texts/texts.ts'
import { filtersOf } from './decision-filters.ts'
import { nameOf } from './decision-query.ts'
import { type Decisions, readDecisions } from './decision-read.ts'
import { type Row, table } from './decision-table.tsx'

const { pick: _, ...withoutTicks } = table

/** A page with so many is made quickly, and the codes of all of them fit into an address. */
const PER_PAGE = 500
/** The id of the part that the search renews while somebody types. */
const RESULTS = 'results'
/** The id of the field that proposes for many, below the table. */
const FIRST = 'first'

interface Loaded extends Omit<Decisions, 'found' | 'names'> {
  rows: readonly Row[]
  matching: number
  /** How many come before this page. */
  after: number
}

/** Compares the abstracts of an event, for those who decide. */
export const decisionsPage = showPage('event', {
  path: '/e/{event}/decisions',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  prepare: async ({ db }, request): Promise<Loaded> => {
    const { found, names, ...read } = await readDecisions(db, request)
    const after = afterOf(request)
    const rows = found.slice(after, after + PER_PAGE).map(standing => ({
      ...{ ...standing, names, reviewsWanted: read.standings.round?.wanted },
      href: paths.abstract(request.event.id, standing.id),
    }))
    return { ...read, rows, matching: found.length, after }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.proposals.title,
    body: <Decided {...loaded} request={request} />,
  }),
})

function afterOf({ query }: EventRequest): number {
  const typed = query.get('after') ?? ''
  return /^\d{1,5}$/.test(typed) ? Number(typed) : 0
}

type Props = Loaded & { request: EventRequest }

function Decided(props: Props) {
  const { standings, request } = props
  const { event, voice } = request
  const { proposals: texts } = voice.texts
  const crumbs = <a href={paths.abstracts(event.id)}>{voice.texts.abstracts.title}</a>
  if (standings.count === 0) {
    return (
      <>
        <Head title={texts.title} crumbs={crumbs} />
        <Empty icon="paper" title={texts.noneYet}>
          {texts.noneYetAbout}
        </Empty>
      </>
    )
  }
  return (
    <>
      <Head title={texts.title} crumbs={crumbs} about={texts.about} />
      <div class="stack">
        <Waiting standings={standings} request={request} />
        <Unreviewed standings={standings} request={request} />
        <Compared {...props} />
      </div>
    </>
  )
}

/** Says how many proposals wait to be sent. */
function Waiting({ standings: { proposed }, request }: { standings: Standings; request: EventRequest }) {
  const { event, voice } = request
  const { proposals: texts } = voice.texts
  const { format } = voice
  const { accepted, rejected, sending } = proposed
  if (accepted + rejected + sending === 0) return <p class="quiet">{texts.noneProposed}</p>
  return (
    <section class="card row" aria-label={texts.proposal}>
      <span>
        {texts.proposed(format.number(accepted), format.number(rejected))}
        {sending > 0 && ` ${texts.beingSent(format.number(sending))}`}
      </span>
      <ButtonLink href={paths.sendDecisions(event.id)} main>
        {texts.send}
      </ButtonLink>
    </section>
  )
}

function Unreviewed({
  standings: { round, rows },
  request,
}: {
  standings: Standings
  request: EventRequest
}) {
  const { event, voice } = request
  const { proposals: texts } = voice.texts
  if (round === undefined) {
    const setUp = <ButtonLink href={paths.review(event.id, 'settings')}>{texts.setUpReview}</ButtonLink>
    return (
      <Banner tone="warn" action={setUp}>
        {texts.notReviewed}
      </Banner>
    )
  }
  if (rows.some(({ figures }) => (figures?.done ?? 0) > 0)) return null
  return <p class="quiet">{texts.noReviewDone}</p>
}

function Compared(props: Props) {
  const { query, standings, order, request } = props
  const { event, voice } = request
  const path = paths.decisions(event.id)
  return (
    <div>
      <ListTools
        path={path}
        query={query}
        voice={voice}
        search={voice.texts.proposals.search}
        filters={filtersOf(standings, order)}
        results={RESULTS}
      />
      <div id={RESULTS} class="stack">
        <Found {...props} path={path} />
      </div>
    </div>
  )
}

/** Returns how the columns are sorted. The links keep the search and the filters. */
function sortingOf(path: string, query: Query, order: Order): Sorting {
  return {
    by: order.sort,
    direction: isFromHighest(order.sort) === order.isReversed ? 'ascending' : 'descending',
    hrefOf: name => {
      const sort = sorts.find(each => each === name) ?? 'mean'
      const isReversed = sort === order.sort && !order.isReversed
      return withQuery(path, { ...query, sort: nameOf({ sort, isReversed }) })
    },
  }
}

function Found({ query, standings, order, rows, matching, after, path, request }: Props & { path: string }) {
  const { event, voice } = request
  const { texts, format } = voice
  const { proposals: labels } = texts
  if (matching === 0) {
    return (
      <Empty icon="search" title={labels.noneFound}>
        {labels.noneFoundAbout}
      </Empty>
    )
  }
  const following = after + PER_PAGE
  const mayPropose = request.offers(paths.proposeDecisions(event.id))
  const sorting = sortingOf(path, query, order)
  const shown = (
    <Table list={table} rows={rows} voice={voice} sorting={sorting} bulk={<Bulk texts={texts} />} />
  )
  return (
    <>
      <p class="row">
        <span class="small quiet">
          {labels.figures(format.number(matching), format.number(standings.count))}
        </span>
        {mayPropose && <a href={`#${FIRST}`}>{labels.toFirst}</a>}
      </p>
      {mayPropose ? (
        <form method="get" action={paths.proposeDecisions(event.id)}>
          <Asked query={query} />
          {shown}
        </form>
      ) : (
        <Table list={withoutTicks} rows={rows} voice={voice} sorting={sorting} />
      )}
      <Pages
        {...{ path, texts, query: { ...query, after: after === 0 ? undefined : String(after) } }}
        shown={rows.length}
        next={following < matching ? String(following) : undefined}
        isForward
      />
      {mayPropose && <First matching={matching} query={query} request={request} />}
      <div class="row">
        <ButtonLink href={withQuery(paths.decisionsCsv(event.id), query)}>{labels.csv}</ButtonLink>
      </div>
    </>
  )
}

/** Keeps the search and the filters, so that what follows leads back to them. */
function Asked({ query }: { query: Query }) {
  return (
    <>
      {Object.entries(query).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
    </>
  )
}

function Bulk({ texts }: { texts: Texts }) {
  return (
    <>
      <span>{texts.proposals.withTicked}</span>
      <Choices texts={texts} />
    </>
  )
}

function Choices({ texts: { proposals: texts } }: { texts: Texts }) {
  return (
    <>
      {(['accepted', 'rejected', 'none'] as const).map(decision => (
        <button key={decision} type="submit" class="button" name="decision" value={decision}>
          {texts.choices[decision]}
        </button>
      ))}
    </>
  )
}

/** Proposes for as many as somebody types, from the beginning of the list. */
function First({ matching, query, request }: { matching: number; query: Query; request: EventRequest }) {
  const { event, voice } = request
  const { proposals: texts } = voice.texts
  return (
    <form method="get" action={paths.proposeDecisions(event.id)} class="card stack">
      <div class="field">
        <label for={FIRST}>{texts.first}</label>
        <p class="help" id="first-about">
          {texts.firstAbout}
        </p>
        <input
          id={FIRST}
          name="first"
          inputmode="numeric"
          class="short"
          aria-describedby="first-about"
          value={String(matching)}
        />
      </div>
      <div class="row">
        <Asked query={query} />
        <Choices texts={voice.texts} />
      </div>
    </form>
  )
}
