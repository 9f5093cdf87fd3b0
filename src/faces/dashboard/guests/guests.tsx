import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Banner, ButtonLink, Empty, Head, Tabs } from '#machinery/web/components/parts.tsx'
import { choiceField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import { ListTools, Pages, type Query, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { may } from '#product/administration/users/roles.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { ticketSorts } from '#product/guests/registrations/gathered-tickets.ts'
import type { Counted, Counts } from '#product/guests/registrations/of-event.ts'
import type { RegistrationStatus } from '#product/guests/registrations/rules.ts'
import type { Texts } from '#texts/texts.ts'
import { type GuestListing, readGuestList } from './guest-list.ts'
import { pickedGuests, readOnlyGuests } from './guest-rows.tsx'

/** The id of the part that the search renews while somebody types. */
const RESULTS = 'results'
const tabOrder = ['confirmed', 'pending', 'cancelled', 'refunded', 'failed'] as const
/** These tabs are shown even if nobody is in that state. */
const alwaysShown: ReadonlySet<RegistrationStatus> = new Set(['confirmed', 'pending', 'cancelled'])

/** Lists the registrations of an event. */
export const guestsPage = showPage('event', {
  path: '/e/{event}/guests',
  permission: 'guests.read',
  navigation: { icon: 'guests', text: texts => texts.navigation.guests },
  prepare: readGuestList,
  view: (loaded, request) => ({
    title: request.voice.texts.guests.title,
    body: <GuestList {...loaded} request={request} />,
  }),
})

function GuestList({ types, request, ...found }: GuestListing & { request: EventRequest }) {
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
  const isFiltered = Object.values(query).some(value => value !== undefined)
  if (counts.all.count === 0 && !counts.all.isMore && !isFiltered) {
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
            <ButtonLink href={paths.orders(event.id)}>{texts.orders.title}</ButtonLink>
            {may(member.role, 'messages') && (
              <ButtonLink href={withQuery(paths.sendTickets(event.id), { ...query, scope: 'all' })}>
                {texts.sending.sendMany}
              </ButtonLink>
            )}
            {add}
          </>
        }
      />
      <ListTools
        path={path}
        query={query}
        voice={voice}
        search={texts.guests.search}
        filters={{ ...(types.length > 1 ? { type: typeField(types) } : {}), sent: sentField }}
        kept={['state', 'sort']}
        results={RESULTS}
      />
      <div id={RESULTS}>
        <StateTabs path={path} query={query} counts={counts} voice={voice} />
        {found.rows.some(({ isFirst }) => !isFirst) && <p class="small quiet">{texts.guests.countedAre}</p>}
        <Found {...found} path={path} request={request} />
      </div>
    </>
  )
}

const sentField = choiceField(
  ['yes', 'no'],
  ({ sending }) => (['yes', 'no'] as const).map(value => ({ value, label: sending.sentChoices[value] })),
  { label: texts => texts.sending.sent },
)

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

type FoundProps = Omit<GuestListing, 'types'> & { path: string; request: EventRequest }

function Found({ query, rows, next, counts, limit, path, request }: FoundProps) {
  const { event, member, voice } = request
  const { texts } = voice
  const after = request.query.get('after') ?? undefined
  const pages = (
    <Pages
      {...{ path, next, texts, query: { ...query, after }, shown: rows.length }}
      isForward={query.sort !== undefined}
    />
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
  const mayCancel = may(member.role, 'guests.edit') && request.offers(paths.cancelGuests(event.id))
  const matching = tell(counts[(query.state as RegistrationStatus | undefined) ?? 'all'], voice)
  return (
    <>
      {limit === 'unsorted' && <Banner tone="warn">{texts.sending.tooManyToSort}</Banner>}
      {limit === 'cut' && <Banner tone="warn">{texts.sending.onlyNewest}</Banner>}
      <SortedBy path={path} query={query} texts={texts} />
      {mayCancel ? (
        <form method="get" action={paths.cancelGuests(event.id)}>
          <Chosen query={query} rows={rows} />
          <Table
            list={pickedGuests}
            rows={rows}
            voice={voice}
            bulk={<Bulk matching={matching} request={request} />}
          />
        </form>
      ) : (
        <Table list={readOnlyGuests} rows={rows} voice={voice} />
      )}
      {pages}
      <div class="row below">
        <ButtonLink href={withQuery(paths.guestsXlsx(event.id), query)}>{texts.guests.xlsx}</ButtonLink>
        <ButtonLink href={withQuery(paths.guestsCsv(event.id), query)}>{texts.guests.csv}</ButtonLink>
        {event.badge_layout !== null && may(member.role, 'checkins') && (
          <ButtonLink href={withQuery(paths.badges(event.id), { ...query, sort: undefined })}>
            {texts.badges.title}
          </ButtonLink>
        )}
        {may(member.role, 'messages') && (
          <ButtonLink href={withQuery(paths.guestsWithLinksCsv(event.id), query)}>
            {texts.guests.csvWithLinks}
          </ButtonLink>
        )}
      </div>
    </>
  )
}

/** Offers the orders of the list. */
function SortedBy({ path, query, texts }: { path: string; query: Query; texts: Texts }) {
  const { sending } = texts
  return (
    <p class="chips">
      <span class="quiet">{sending.sortBy}</span>
      {([undefined, ...ticketSorts] as const).map(sort =>
        query.sort === sort ? (
          <strong key={sort} class="chip" aria-current="true">
            {sending.sorts[sort ?? 'newest']}
          </strong>
        ) : (
          <a key={sort} class="chip" href={withQuery(path, { ...query, sort })}>
            {sending.sorts[sort ?? 'newest']}
          </a>
        ),
      )}
    </p>
  )
}

/** Sends the query and the rows along with the ticked ones, for a choice of this page or of all matches. */
function Chosen({ query, rows }: Pick<GuestListing, 'query' | 'rows'>) {
  return (
    <>
      {Object.entries(query).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {rows
        .filter(({ isFirst }) => isFirst)
        .map(({ guest: { id } }) => (
          <input key={id} type="hidden" name="page" value={id} />
        ))}
    </>
  )
}

function Bulk({ matching, request: { event, member, voice } }: { matching: string; request: EventRequest }) {
  const { guests: texts, sending } = voice.texts
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
      {may(member.role, 'messages') && (
        <button type="submit" class="button" formaction={paths.sendTickets(event.id)}>
          {sending.sendMany}
        </button>
      )}
      {event.badge_layout !== null && may(member.role, 'checkins') && (
        <button type="submit" class="button" formaction={paths.badges(event.id)}>
          {voice.texts.badges.title}
        </button>
      )}
      <button type="submit" class="button destructive">
        {texts.cancelMany}
      </button>
    </>
  )
}
