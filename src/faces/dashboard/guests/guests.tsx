import { readCursor } from '#faces/dashboard/frame/list-page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Empty, Head, Tabs, Time } from '#machinery/web/components/parts.tsx'
import { choiceField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import { type List, ListTools, Pages, type Query, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { may } from '#product/administration/users/roles.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { listAndCount } from '#product/guests/registrations/guests.ts'
import type { Counted, Counts } from '#product/guests/registrations/of-event.ts'
import type { RegistrationStatus } from '#product/guests/registrations/rules.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { readGuestQuery } from './guest-query.ts'
import { RegistrationState } from './registration-status.tsx'

const PER_PAGE = 50
/** The id of the part that the search renews while somebody types. */
const RESULTS = 'results'
const tabOrder = ['confirmed', 'pending', 'cancelled', 'refunded', 'failed'] as const
/** These tabs are shown even if nobody is in that state. */
const alwaysShown: ReadonlySet<RegistrationStatus> = new Set(['confirmed', 'pending', 'cancelled'])

const columns: List<Registration>['columns'] = [
  {
    label: texts => texts.guests.buyer,
    place: 'name',
    cell: ({ id, event_id, buyer }) => (
      <>
        <a href={paths.guest(event_id, id)}>
          <bdi>{buyer.name}</bdi>
        </a>
        <div class="small quiet only-wide">
          <bdi>{buyer.email}</bdi>
        </div>
      </>
    ),
  },
  {
    label: texts => texts.guests.tickets,
    place: 'line',
    cell: ({ quantity, registration_type_name }, { texts }) => (
      <bdi>{texts.guests.ofType(quantity, registration_type_name ?? '')}</bdi>
    ),
  },
  {
    label: texts => texts.guests.state,
    place: 'amount',
    cell: ({ status }, { texts }) => <RegistrationState status={status} texts={texts} />,
  },
  {
    label: texts => texts.guests.registered,
    place: 'when',
    isNumber: true,
    cell: ({ created_at }, { format }) => <Time at={created_at as string} format={format} />,
  },
]

const readOnly: List<Registration> = { caption: texts => texts.guests.caption, columns }
const list: List<Registration> = {
  ...readOnly,
  pick: { id: ({ id }) => id, label: ({ buyer }, { texts }) => texts.guests.selectOne(buyer.name) },
}

interface Loaded {
  types: readonly TypeDetails[]
  query: Query
  rows: readonly Registration[]
  next: string | undefined
  counts: Counts
}

/** Lists the registrations of an event. */
export const guestsPage = showPage('event', {
  path: '/e/{event}/guests',
  permission: 'guests.read',
  navigation: { icon: 'guests', text: texts => texts.navigation.guests },
  prepare: prepareList,
  view: (loaded, request) => ({
    title: request.voice.texts.guests.title,
    body: <GuestList {...loaded} request={request} />,
  }),
})

const nobody: Counted = { count: 0, isMore: false }
const none: Counts = {
  ...{ all: nobody, pending: nobody, confirmed: nobody },
  ...{ failed: nobody, refunded: nobody, cancelled: nobody },
}

async function prepareList({ db, cursors }: Services, request: EventRequest): Promise<Loaded> {
  const { account, event } = request
  const types = await db.read(account.id, tx => registrationTypes.listDetails(tx, event.id))
  const { query, filters } = readGuestQuery(request, types)
  if (filters === undefined) return { types, query, rows: [], next: undefined, counts: none }
  const scope = JSON.stringify(['guests', account.id, filters])
  const page = { limit: PER_PAGE, after: readCursor(cursors, scope, request) }
  const { rows, next, counts } = await listAndCount(db, account.id, filters, page)
  return {
    types,
    query,
    rows: rows.map(({ resource }) => resource),
    next: next && cursors.encode(scope, next),
    counts,
  }
}

function GuestList({ types, request, ...found }: Loaded & { request: EventRequest }) {
  const { event, member, voice } = request
  const { texts } = voice
  const { query, counts } = found
  const path = paths.guests(event.id)
  const add = may(member.role, 'guests.edit') && (
    <>
      <ButtonLink href={paths.importGuests(event.id)}>{texts.guests.import}</ButtonLink>
      <ButtonLink href={paths.newGuest(event.id)} main>
        {texts.guests.add}
      </ButtonLink>
    </>
  )
  const isAsked = Object.values(query).some(value => value !== undefined)
  if (counts.all.count === 0 && !counts.all.isMore && !isAsked) {
    return (
      <>
        <Head title={texts.guests.title} />
        <Empty icon="guests" title={texts.guests.none} action={add}>
          {texts.guests.noneAbout}
        </Empty>
      </>
    )
  }
  return (
    <>
      <Head
        title={texts.guests.title}
        actions={
          <>
            <ButtonLink href={paths.orders(request.event.id)}>{texts.orders.title}</ButtonLink>
            {add}
          </>
        }
      />
      <ListTools
        path={path}
        query={query}
        voice={voice}
        search={texts.guests.search}
        filters={types.length > 1 ? { type: typeField(types) } : {}}
        kept={['state']}
        results={RESULTS}
      />
      <div id={RESULTS}>
        <StateTabs path={path} query={query} counts={counts} voice={voice} />
        <Found {...found} path={path} request={request} />
      </div>
    </>
  )
}

function typeField(types: readonly TypeDetails[]) {
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  return choiceField(
    types.map(({ id }) => id),
    () => choices,
    { label: texts => texts.guests.type },
  )
}

interface TabsProps {
  path: string
  query: Query
  counts: Counts
  voice: Voice
}

function StateTabs({ path, query, counts, voice }: TabsProps) {
  const { texts } = voice
  const shown = tabOrder.filter(
    status => alwaysShown.has(status) || counts[status].count > 0 || query.state === status,
  )
  const tab = (status: RegistrationStatus | undefined, text: string) => ({
    href: withQuery(path, { ...query, state: status }),
    text,
    isCurrent: query.state === status,
    count: tell(counts[status ?? 'all'], voice),
  })
  return (
    <Tabs
      label={texts.guests.states}
      tabs={[
        tab(undefined, texts.page.all),
        ...shown.map(status => tab(status, texts.guests.status[status])),
      ]}
    />
  )
}

function tell({ count, isMore }: Counted, { texts, format }: Voice): string {
  return texts.guests.counted(format.number(count), isMore)
}

type FoundProps = Pick<Loaded, 'query' | 'rows' | 'next' | 'counts'> & { path: string; request: EventRequest }

function Found({ query, rows, next, counts, path, request }: FoundProps) {
  const { event, member, voice } = request
  const { texts } = voice
  const after = request.query.get('after') ?? undefined
  const pages = (
    <Pages path={path} query={{ ...query, after }} shown={rows.length} next={next} texts={texts} />
  )
  if (rows.length === 0 && next === undefined && after === undefined) {
    return (
      <Empty icon="search" title={texts.guests.nobody}>
        {texts.guests.nobodyAbout}
      </Empty>
    )
  }
  if (rows.length === 0) {
    return (
      <>
        {next !== undefined && <p class="quiet">{texts.guests.noneHere}</p>}
        {pages}
      </>
    )
  }
  const mayCancel = may(member.role, 'guests.edit')
  const matching = tell(counts[(query.state as RegistrationStatus | undefined) ?? 'all'], voice)
  return (
    <>
      {mayCancel ? (
        <form method="get" action={paths.cancelGuests(event.id)}>
          <Chosen query={query} rows={rows} />
          <Table list={list} rows={rows} voice={voice} bulk={<Bulk matching={matching} voice={voice} />} />
        </form>
      ) : (
        <Table list={readOnly} rows={rows} voice={voice} />
      )}
      {pages}
      <p class="pages">
        <ButtonLink href={withQuery(paths.guestsCsv(event.id), query)}>{texts.guests.csv}</ButtonLink>
        {may(member.role, 'messages') && (
          <ButtonLink href={withQuery(paths.guestsWithLinksCsv(event.id), query)}>
            {texts.guests.csvWithLinks}
          </ButtonLink>
        )}
      </p>
    </>
  )
}

/** Sends the query and the rows along with the ticked ones, for a choice of this page or of all matches. */
function Chosen({ query, rows }: Pick<Loaded, 'query' | 'rows'>) {
  return (
    <>
      {Object.entries(query).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {rows.map(({ id }) => (
        <input key={id} type="hidden" name="page" value={id} />
      ))}
    </>
  )
}

function Bulk({ matching, voice }: { matching: string; voice: Voice }) {
  const { guests: texts } = voice.texts
  return (
    <>
      <label class="hidden" for="scope">
        {texts.scope}
      </label>
      <select id="scope" name="scope">
        <option value="ticked">{texts.ticked}</option>
        <option value="page">{texts.thisPage}</option>
        <option value="all">{texts.allMatching(matching)}</option>
      </select>
      <button type="submit" class="button">
        {texts.cancelMany}
      </button>
    </>
  )
}
