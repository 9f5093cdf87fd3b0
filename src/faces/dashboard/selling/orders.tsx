import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Empty, Head, Mail, Money, Tabs, Time } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type List, ListTools, Pages, Table } from '#machinery/web/lists/list.tsx'
import { may } from '#product/administration/users/roles.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import { findOrders } from '#product/selling/payments/search.ts'
import { OrderState } from './order-state.tsx'

const PER_PAGE = 50
/** The most characters of a search. */
const MAX_SEARCH = 254

/** `payment` stands for the orders that wait for money only. */
const tabs = ['pending', 'payment', 'confirmed', 'failed'] as const

interface Loaded {
  state: (typeof tabs)[number] | undefined
  /** The text that was searched for. */
  q: string
  rows: readonly Order[]
  next: string | undefined
}

/** Lists the orders of an event, newest first. */
export const ordersPage = showPage('event', {
  path: '/e/{event}/orders',
  permission: 'guests.read',
  navigation: { icon: 'list', text: texts => texts.orders.title },
  load: async (tx, request, { cursors }): Promise<Loaded> => {
    const { event, query } = request
    const state = tabs.find(each => each === query.get('state'))
    const q = (query.get('q') ?? '').trim().slice(0, MAX_SEARCH)
    if (q !== '') {
      const rows = await findOrders(tx, event.id, q, PER_PAGE)
      return { state: undefined, q, rows, next: undefined }
    }
    const filters = state === 'payment' ? { waits_for: state } : { status: state }
    const scope = `orders ${event.id} ${state}`
    const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, request) }
    const found = await orders.list(tx, { event_id: event.id, ...filters }, page)
    const positions = found.map(({ id, created_at }) => ({
      position: { id, created_at: Date.parse(created_at) },
    }))
    return { state, q, rows: found.slice(0, PER_PAGE), next: toNext(cursors, scope, positions, PER_PAGE) }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.orders.title,
    body: <Orders loaded={loaded} request={request} />,
  }),
})

function listOf({ event }: EventRequest): List<Order> {
  return {
    caption: texts => texts.orders.caption,
    columns: [
      {
        label: texts => texts.orders.buyer,
        place: 'name',
        cell: ({ id, buyer, reference, amount_total, currency }, { format }) => (
          <>
            <a href={paths.order(event.id, id)}>
              <bdi>{buyer.name}</bdi>
            </a>
            <div class="small quiet">{reference}</div>
            {amount_total > 0 && (
              <div class="only-narrow">
                <Money amount={amount_total} currency={currency} format={format} />
              </div>
            )}
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

function Orders({ loaded: { state, q, rows, next }, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, member, voice } = request
  const { texts } = voice
  const path = paths.orders(event.id)
  const query = { state, q: q || undefined, after: request.query.get('after') ?? undefined }
  const shown = [undefined, ...tabs].map(each => ({
    href: withQuery(path, { state: each }),
    text: each === undefined ? texts.orders.all : texts.orders.states[each],
    isCurrent: each === state,
  }))
  const isEmpty = rows.length === 0 && query.after === undefined
  return (
    <>
      <Head title={texts.orders.title} about={texts.orders.about} />
      <ListTools path={path} query={query} voice={voice} search={texts.payments.search} />
      <Tabs label={texts.orders.state} tabs={shown} />
      {isEmpty && q !== '' ? (
        <p class="card quiet">{texts.payments.noneFound}</p>
      ) : isEmpty && state === undefined ? (
        <Empty
          icon="clock"
          title={texts.orders.none}
          action={
            may(member.role, 'events.edit') && (
              <ButtonLink href={paths.shareEvent(event.id)}>{texts.share.title}</ButtonLink>
            )
          }
        >
          {texts.orders.noneAbout}
        </Empty>
      ) : isEmpty ? (
        <p class="card quiet">{texts.orders.noneSo}</p>
      ) : (
        <Table list={listOf(request)} rows={rows} voice={voice} />
      )}
      <Pages path={path} query={query} shown={rows.length} next={next} texts={texts} />
    </>
  )
}
