import * as events from '../../events/rules.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { may } from '../../users/roles.ts'
import * as waitlist from '../../waitlist/rules.ts'
import type { Offer, WaitlistEntry } from '../../waitlist/schemas.ts'
import { Empty, Head, Mail, Pill, Time } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { choiceField } from '../../web/forms/field.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { type List, ListTools, Pages, Table } from '../../web/lists/list.tsx'
import type { Texts } from '../../web/texts/texts.ts'
import type { OfEvent } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { readCursor, toNext } from '../list-page.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

const PER_PAGE = 50

interface Loaded {
  types: readonly TypeDetails[]
  /** Of which alone entries are shown. */
  type: TypeDetails | undefined
  rows: readonly WaitlistEntry[]
  /** Places are held for those who wait. */
  areHeld: boolean
  next: string | undefined
}

/** Who waits for which tickets, the longest first. */
export const waitlistPage = showPage('event', {
  path: '/e/{event}/waitlist',
  permission: 'guests.read',
  navigation: { icon: 'clock', text: texts => texts.navigation.waitlist },
  load: async (tx, asked, { cursors }): Promise<Loaded> => {
    const { account, event, query } = asked
    const types = await registrationTypes.listDetails(tx, account.id, event.id)
    const type = types.find(({ id }) => id === query.get('type'))
    const scope = `waitlist ${event.id} ${type?.id}`
    const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, asked) }
    const found = [...(await waitlist.list(tx, account.id, event.id, type?.id, page))]
    const rows = found.slice(0, PER_PAGE).map(({ resource }) => resource)
    const areHeld = (await events.findWaitlistMode(tx, account.id, event.id)) === 'offer'
    return { types, type, rows, areHeld, next: toNext(cursors, scope, found, PER_PAGE) }
  },
  view: (loaded, asked) => ({
    title: asked.voice.texts.navigation.waitlist,
    body: <Waitlist loaded={loaded} asked={asked} />,
  }),
})

function listOf({ types }: Loaded, { event, member }: OfEvent): List<WaitlistEntry> {
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
                <Pill tone="good">{texts.waitlist.told}</Pill> <Time at={notified_at} format={format} short />
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
  if (!may(member.role, 'guests.edit')) return { caption: texts => texts.waitlist.caption, columns }
  const remove: (typeof columns)[number] = {
    label: texts => texts.waitlist.action,
    place: 'amount',
    isNumber: true,
    isAction: true,
    cell: ({ id, name }, { texts }) => (
      <a
        class="button plain"
        href={paths.removeFromWaitlist(event.id, id)}
        aria-label={texts.waitlist.removeOf(name)}
      >
        {texts.waitlist.remove}
      </a>
    ),
  }
  return { caption: texts => texts.waitlist.caption, columns: [...columns, remove] }
}

/** What became of the places that were held for somebody. */
function OfferState({ offer: { state }, texts }: { offer: Offer; texts: Texts }) {
  const { waitlist } = texts
  if (state === 'held') return <Pill tone="good">{waitlist.held}</Pill>
  return <Pill tone="off">{state === 'taken' ? waitlist.taken : waitlist.notTaken}</Pill>
}

function Waitlist({ loaded, asked }: { loaded: Loaded; asked: OfEvent }) {
  const { types, type, rows, areHeld, next } = loaded
  const { event, voice } = asked
  const { texts } = voice
  const path = paths.waitlist(event.id)
  const query = { type: type?.id, after: asked.query.get('after') ?? undefined }
  const ids = types.map(({ id }) => id)
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  const filters = { type: choiceField(ids, () => choices, { label: ({ waitlist }) => waitlist.type }) }
  if (rows.length === 0 && type === undefined && query.after === undefined) {
    return (
      <>
        <Head title={texts.navigation.waitlist} />
        <Empty icon="clock" title={texts.waitlist.none}>
          {texts.waitlist.noneAbout}
        </Empty>
      </>
    )
  }
  return (
    <>
      <Head
        title={texts.navigation.waitlist}
        about={areHeld ? texts.waitlist.aboutHeld : texts.waitlist.about}
      />
      {types.length > 1 && <ListTools path={path} query={query} voice={voice} filters={filters} />}
      {rows.length === 0 ? (
        <p class="card quiet">{texts.waitlist.noneOfType}</p>
      ) : (
        <Table list={listOf(loaded, asked)} rows={rows} voice={voice} />
      )}
      <Pages path={path} query={query} shown={rows.length} next={next} texts={texts} isForward />
    </>
  )
}

/** Asks first: the place in the queue is gone with it. */
export const removeFromWaitlist = formPage('event', {
  path: '/e/{event}/waitlist/{entry}/remove',
  permission: 'guests.edit',
  load: async (tx, { account, event, params }) => {
    const entry = await waitlist.get(tx, account.id, event.id, params.entry ?? '')
    const types = await registrationTypes.listDetails(tx, account.id, event.id)
    return { entry, type: types.find(({ id }) => id === entry.registration_type_id)?.name ?? '' }
  },
  fields: () => ({}),
  view: ({ entry, type }, { event, voice }, state) => {
    const { texts, format } = voice
    const title = texts.waitlist.removeTitle(entry.name)
    const back = paths.waitlist(event.id)
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={<a href={back}>{texts.navigation.waitlist}</a>} />
          <div class="card">
            <Form
              state={state}
              texts={texts}
              action={paths.removeFromWaitlist(event.id, entry.id)}
              submit={texts.waitlist.removeSubmit}
              leave={back}
              isDanger
            >
              <ul class="will">
                <li>
                  <Mail address={entry.email} />,{' '}
                  {texts.waitlist.sinceThen(format.dateTime(entry.created_at))}
                </li>
                <li>
                  <bdi>{texts.waitlist.removeWaits(entry.quantity, type)}</bdi>
                </li>
                <li>{texts.waitlist.removeTold}</li>
              </ul>
            </Form>
          </div>
        </>
      ),
    }
  },
  act: (tx, { account, event, params }) => waitlist.remove(tx, account.id, event.id, params.entry ?? ''),
  entry: ({ params }) => waitlist.removeEntry(params.entry ?? ''),
  next: ({ name }, { event }) => ({ path: paths.waitlist(event.id), flash: flash('offWaitlist', { name }) }),
})
