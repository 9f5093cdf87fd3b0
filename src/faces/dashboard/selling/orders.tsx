import * as orders from '../../orders/rules.ts'
import type { Order } from '../../orders/schemas.ts'
import { findOrders } from '../../payments/search.ts'
import { Empty, Head, Mail, Money, Tabs, Time } from '../../web/components/parts.tsx'
import { withQuery } from '../../web/link.ts'
import { type List, ListTools, Pages, Table } from '../../web/lists/list.tsx'
import type { OfEvent } from '../asked.ts'
import { readCursor, toNext } from '../list-page.ts'
import { OrderState } from '../order-state.tsx'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

const PER_PAGE = 50
/** Of what is looked for. */
const MAX_SEARCH = 254

/** `payment`: those that wait for money alone. */
const tabs = ['pending', 'payment', 'confirmed', 'failed'] as const

interface Loaded {
  state: (typeof tabs)[number] | undefined
  /** What was looked for. */
  q: string
  rows: readonly Order[]
  next: string | undefined
}

/** The orders of an event, newest first. */
export const ordersPage = showPage('event', {
  path: '/e/{event}/orders',
  permission: 'guests.read',
  load: async (tx, asked, { cursors }): Promise<Loaded> => {
    const { account, event, query } = asked
    const state = tabs.find(each => each === query.get('state'))
    const q = (query.get('q') ?? '').trim().slice(0, MAX_SEARCH)
    if (q !== '') {
      const rows = await findOrders(tx, account.id, event.id, q, PER_PAGE)
      return { state: undefined, q, rows, next: undefined }
    }
    const filters = state === 'payment' ? { waits_for: state } : { status: state }
    const scope = `orders ${event.id} ${state}`
    const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, asked) }
    const found = await orders.list(tx, account.id, { event_id: event.id, ...filters }, page)
    const positions = found.map(({ id, created_at }) => ({
      position: { id, created_at: Date.parse(created_at) },
    }))
    return { state, q, rows: found.slice(0, PER_PAGE), next: toNext(cursors, scope, positions, PER_PAGE) }
  },
  view: (loaded, asked) => ({
    title: asked.voice.texts.orders.title,
    body: <Orders loaded={loaded} asked={asked} />,
  }),
})

function listOf({ event }: OfEvent): List<Order> {
  return {
    caption: texts => texts.orders.caption,
    columns: [
      {
        label: texts => texts.orders.buyer,
        place: 'name',
        cell: ({ id, buyer, reference }) => (
          <>
            <a href={paths.order(event.id, id)}>
              <bdi>{buyer.name}</bdi>
            </a>
            <div class="small quiet">{reference}</div>
          </>
        ),
      },
      {
        label: texts => texts.guests.email,
        place: 'line',
        cell: ({ buyer }) => <Mail address={buyer.email} />,
      },
      {
        label: texts => texts.orders.at,
        place: 'when',
        cell: ({ created_at }, { format }) => <Time at={created_at} format={format} />,
      },
      {
        label: texts => texts.orders.state,
        place: 'amount',
        cell: (order, { texts, format }) => (
          <>
            <OrderState order={order} texts={texts} />
            {(order.waits_for === 'answer' || order.waits_for === 'payment') && order.expires_at !== null && (
              <div class="small quiet">{texts.orders.until(format.dateTime(order.expires_at))}</div>
            )}
          </>
        ),
      },
      {
        label: texts => texts.orders.total,
        place: 'wide',
        isNumber: true,
        cell: ({ amount_total, currency }, { format, texts }) =>
          amount_total === 0 ? (
            texts.orders.free
          ) : (
            <Money amount={amount_total} currency={currency} format={format} />
          ),
      },
    ],
  }
}

function Orders({ loaded: { state, q, rows, next }, asked }: { loaded: Loaded; asked: OfEvent }) {
  const { event, voice } = asked
  const { texts } = voice
  const path = paths.orders(event.id)
  const query = { state, q: q || undefined, after: asked.query.get('after') ?? undefined }
  const shown = [undefined, ...tabs].map(each => ({
    href: withQuery(path, { state: each }),
    text: each === undefined ? texts.orders.all : texts.orders.states[each],
    isCurrent: each === state,
  }))
  const isEmpty = rows.length === 0 && query.after === undefined
  return (
    <>
      <Head
        title={texts.orders.title}
        crumbs={<a href={paths.guests(event.id)}>{texts.guests.title}</a>}
        about={texts.orders.about}
      />
      <ListTools path={path} query={query} voice={voice} search={texts.payments.search} />
      <Tabs label={texts.orders.state} tabs={shown} />
      {isEmpty && q !== '' ? (
        <p class="card quiet">{texts.payments.noneFound}</p>
      ) : isEmpty && state === undefined ? (
        <Empty icon="clock" title={texts.orders.none}>
          {texts.orders.noneAbout}
        </Empty>
      ) : isEmpty ? (
        <p class="card quiet">{texts.orders.noneSo}</p>
      ) : (
        <Table list={listOf(asked)} rows={rows} voice={voice} />
      )}
      <Pages path={path} query={query} shown={rows.length} next={next} texts={texts} />
    </>
  )
}
