import { findTitles } from '#faces/dashboard/catalog/event-titles.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Empty, Head, Money, Time } from '#machinery/web/components/parts.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import * as refunds from '#product/selling/payments/refunds.ts'
import type { Refund } from '#product/selling/payments/schemas.ts'
import { RefundActions, RefundState } from './refund-list.tsx'
import { findSubject, type RefundSubject } from './refund-subject.ts'

/** The page shows this many of the newest. More are rare, and come up as these are done. */
const MOST = 200

interface Row {
  refund: Refund
  /** It is undefined if the order or registration of the refund is gone. */
  of: RefundSubject | undefined
  event: string
}

const list: List<Row> = {
  caption: texts => texts.refunds.owedCaption,
  columns: [
    {
      label: texts => texts.refunds.whom,
      place: 'name',
      cell: ({ of, event }, { texts }) => (
        <>
          {of === undefined ? (
            texts.refunds.unknownOrder
          ) : (
            <a href={of.href}>
              <bdi>{of.name}</bdi>
            </a>
          )}
          <div class="small quiet">
            <bdi>{event}</bdi>
          </div>
        </>
      ),
    },
    {
      label: texts => texts.refunds.amount,
      place: 'amount',
      isNumber: true,
      cell: ({ refund: { amount, currency } }, { format }) => (
        <Money amount={amount} currency={currency} format={format} />
      ),
    },
    {
      label: texts => texts.refunds.why,
      place: 'line',
      cell: ({ refund }, voice) => (
        <>
          {voice.texts.refunds.reasons[refund.reason]} · {voice.texts.refunds.methods[refund.method]} ·{' '}
          <Time at={refund.created_at} format={voice.format} /> <RefundState refund={refund} voice={voice} />
        </>
      ),
    },
    {
      label: texts => texts.refunds.action,
      place: 'when',
      isAction: true,
      cell: ({ refund }, voice) => (
        <RefundActions refund={refund} eventId={refund.event_id} voice={voice} from="owed" />
      ),
    },
  ],
}

/** Lists refunds that a member has to pay back or see to, for the events that the member has. */
export const owedPage = showPage('account', {
  path: '/a/{account}/owed',
  // The events page names what is owed, and whoever may pay back sees that page.
  belongsTo: '/a/{account}',
  permission: 'refunds',
  load: async (tx, { member }) => {
    const owed = await refunds.listToPayBack(tx, member.event_ids, MOST)
    const ids = owed.map(({ event_id }) => event_id)
    const titles = await findTitles(tx, ids)
    const rows: Row[] = []
    for (const refund of owed) {
      const event = titles.get(refund.event_id) ?? ''
      rows.push({ refund, event, of: await findSubject(tx, refund) })
    }
    return rows
  },
  view: (rows, { voice }) => {
    const { refunds: texts } = voice.texts
    return {
      title: texts.owedTitle,
      body: (
        <>
          <Head title={texts.owedTitle} about={texts.owedAbout} />
          {rows.length === 0 ? (
            <Empty icon="check" title={texts.owedNone}>
              {texts.owedNoneAbout}
            </Empty>
          ) : (
            <Table list={list} rows={rows} voice={voice} />
          )}
        </>
      ),
    }
  },
})
