import * as refunds from '../../payments/refunds.ts'
import type { Refund } from '../../payments/schemas.ts'
import { Empty, Head, Money, Time } from '../../web/components/parts.tsx'
import { type List, Table } from '../../web/lists/list.tsx'
import { findTitles } from '../event-titles.ts'
import { findSubject, type RefundSubject } from '../refund-subject.ts'
import { showPage } from '../show.tsx'
import { RefundActions, RefundState } from './order-money.tsx'

/** The newest of them: more are rare, and come up as these are done. */
const MOST = 200

interface Row {
  refund: Refund
  /** Undefined where what it is of is not here. */
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

/** Money that somebody has to pay back, or to see to: of the events that the member has. */
export const owedPage = showPage('account', {
  path: '/a/{account}/owed',
  permission: 'refunds',
  load: async (tx, { account, member }) => {
    const owed = await refunds.listToPayBack(tx, account.id, member.event_ids, MOST)
    const ids = owed.map(({ event_id }) => event_id)
    const titles = await findTitles(tx, account.id, ids)
    const rows: Row[] = []
    for (const refund of owed) {
      const event = titles.get(refund.event_id) ?? ''
      rows.push({ refund, event, of: await findSubject(tx, account.id, refund) })
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
