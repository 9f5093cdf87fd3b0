import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { toSetting } from '#faces/dashboard/frame/way-back.ts'
import { ButtonLink, Empty, Head, Mail, Pill, Time } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choiceField } from '#machinery/web/forms/field.ts'
import { type List, ListTools, Pages, Table } from '#machinery/web/lists/list.tsx'
import { may } from '#product/administration/users/roles.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import type { Offer, WaitlistEntry } from '#product/catalog/waitlist/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { OF_SETTINGS } from './event-settings.tsx'

const PER_PAGE = 50

interface Loaded {
  types: readonly TypeDetails[]
  /** The type whose entries are shown alone. */
  type: TypeDetails | undefined
  rows: readonly WaitlistEntry[]
  /** The event holds places for people who wait. */
  areReserved: boolean
  next: string | undefined
}

/** Lists who waits for which tickets, the longest first. */
export const waitlistPage = showPage('event', {
  path: '/e/{event}/waitlist',
  permission: 'guests.read',
  navigation: { icon: 'clock', text: texts => texts.navigation.waitlist },
  load: async (tx, request, { cursors }): Promise<Loaded> => {
    const { event, query } = request
    const types = await registrationTypes.listDetails(tx, event.id)
    const type = types.find(({ id }) => id === query.get('type'))
    const scope = `waitlist ${event.id} ${type?.id}`
    const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, request) }
    const found = [...(await waitlist.list(tx, event.id, type?.id, page))]
    const rows = found.slice(0, PER_PAGE).map(({ resource }) => resource)
    const areReserved = (await events.findWaitlistMode(tx, event.id)) === 'offer'
    return { types, type, rows, areReserved, next: toNext(cursors, scope, found, PER_PAGE) }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.navigation.waitlist,
    body: <Waitlist loaded={loaded} request={request} />,
  }),
})

function listOf({ types }: Loaded, { event, member, offers }: EventRequest): List<WaitlistEntry> {
  const names = new Map(types.map(({ id, name }) => [id, name]))
  const columns: List<WaitlistEntry>['columns'] = [
    {
      label: texts => texts.waitlist.name,
      place: 'name',
      cell: ({ name, email }) => (
        <>
          <bdi>{name}</bdi>
          <div class="small">
            <Mail address={email} />
          </div>
        </>
      ),
    },
    {
      label: texts => texts.waitlist.type,
      place: 'line',
      cell: ({ registration_type_id: type, quantity }, { texts }) => (
        <>
          <bdi>{names.get(type)}</bdi> · <span class="whole">{texts.page.tickets(quantity)}</span>
        </>
      ),
    },
    {
      label: texts => texts.waitlist.since,
      place: 'when',
      cell: ({ created_at, notified_at, offer }, { texts, format }) => (
        <>
          <Time at={created_at} format={format} />
          <div>
            {notified_at === null ? (
              <Pill tone="warn">{texts.waitlist.waiting}</Pill>
            ) : offer === null ? (
              <>
                <Pill tone="good">{texts.waitlist.notified}</Pill>{' '}
                <Time at={notified_at} format={format} short />
              </>
            ) : (
              <a href={paths.order(event.id, offer.order_id)}>
                <OfferState offer={offer} texts={texts} />
                {offer.state === 'held' && ` ${texts.waitlist.heldUntil(format.dateTime(offer.until))}`}
              </a>
            )}
          </div>
        </>
      ),
    },
  ]
  const mayRemove = may(member.role, 'guests.edit') && offers(paths.removeFromWaitlist(event.id, 'any'))
  if (!mayRemove) return { caption: texts => texts.waitlist.caption, columns }
  const remove: (typeof columns)[number] = {
    label: texts => texts.waitlist.action,
    place: 'amount',
    isNumber: true,
    isAction: true,
    cell: ({ id, name }, { texts }) => (
      <a
        class="button plain destructive"
        href={paths.removeFromWaitlist(event.id, id)}
        aria-label={texts.waitlist.removeOf(name)}
      >
        {texts.waitlist.remove}
      </a>
    ),
  }
  return { caption: texts => texts.waitlist.caption, columns: [...columns, remove] }
}

/** Shows what became of the places that were held for an entry. */
function OfferState({ offer: { state }, texts }: { offer: Offer; texts: Texts }) {
  const { waitlist } = texts
  if (state === 'held') return <Pill tone="good">{waitlist.held}</Pill>
  return <Pill tone="off">{state === 'taken' ? waitlist.taken : waitlist.notTaken}</Pill>
}

function Waitlist({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { types, type, rows, areReserved, next } = loaded
  const { event, member, voice } = request
  const { texts } = voice
  const path = paths.waitlist(event.id)
  const setting = toSetting(paths.eventSettings(event.id, 'waitlist'), 'waitlist_mode', path)
  const toSettings = may(member.role, OF_SETTINGS.permission) && (
    <ButtonLink href={setting}>{texts.eventSettings.title}</ButtonLink>
  )
  const query = { type: type?.id, after: request.query.get('after') ?? undefined }
  const ids = types.map(({ id }) => id)
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  const filters = { type: choiceField(ids, () => choices, { label: ({ waitlist }) => waitlist.type }) }
  if (rows.length === 0 && type === undefined && query.after === undefined) {
    return (
      <>
        <Head title={texts.navigation.waitlist} />
        <Empty icon="clock" title={texts.waitlist.none} action={toSettings}>
          {texts.waitlist.noneAbout}
        </Empty>
      </>
    )
  }
  return (
    <>
      <Head
        title={texts.navigation.waitlist}
        about={areReserved ? texts.waitlist.aboutHeld : texts.waitlist.about}
        actions={toSettings}
      />
      {types.length > 1 && <ListTools path={path} query={query} voice={voice} filters={filters} />}
      {rows.length === 0 ? (
        <p class="card quiet">{texts.waitlist.noneOfType}</p>
      ) : (
        <Table list={listOf(loaded, request)} rows={rows} voice={voice} />
      )}
      <Pages path={path} query={query} shown={rows.length} next={next} texts={texts} isForward />
    </>
  )
}

/** Asks before it removes an entry, because its place in the queue is lost too. */
export const removeFromWaitlist = formPage('event', {
  path: '/e/{event}/waitlist/{entry}/remove',
  permission: 'guests.edit',
  load: async (tx, { event, params }) => {
    const entry = await waitlist.get(tx, event.id, params.entry ?? '')
    const types = await registrationTypes.listDetails(tx, event.id)
    return { entry, type: types.find(({ id }) => id === entry.registration_type_id)?.name ?? '' }
  },
  fields: () => ({}),
  parts: ({ entry, type }, { event, voice: { texts, format } }) => {
    const { removeTitle, removeSubmit, removeWaits, removeNotifies, sinceThen } = texts.waitlist
    return {
      ...{
        title: removeTitle(entry.name),
        isOfPeople: true,
        submit: removeSubmit,
        isDanger: true,
        keeps: 'entry',
      },
      crumbs: texts.navigation.waitlist,
      leave: paths.waitlist(event.id),
      will: [
        <>
          <Mail address={entry.email} />, {sinceThen(format.dateTime(entry.created_at))}
        </>,
        <bdi key="waits">{removeWaits(entry.quantity, type)}</bdi>,
        removeNotifies,
      ],
    }
  },
  act: (tx, { event, params }) => waitlist.remove(tx, event.id, params.entry ?? ''),
  entry: ({ params }) => waitlist.removeEntry(params.entry ?? ''),
  next: ({ name }, { event }) => ({ path: paths.waitlist(event.id), flash: flash('offWaitlist', { name }) }),
})
