import type { Clock } from '#base/time.ts'
import { OF_WEBHOOKS } from '#faces/dashboard/administration/webhook-parts.tsx'
import { MOST_SCANS, OF_DECISIONS } from '#faces/dashboard/entrance/door-parts.tsx'
import { OF_MESSAGES } from '#faces/dashboard/mailing/message-parts.tsx'
import { OF_STATEMENTS } from '#faces/dashboard/selling/statement-parts.tsx'
import type { MailService } from '#faces/dashboard/system/mail-service.ts'
import { type Item, instanceItems } from '#faces/dashboard/system/needs-of-instance.tsx'
import type { Database, ReadTx } from '#machinery/db/port.ts'
import type { InstanceNeeds } from '#machinery/ops/instance-needs.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type EndpointNeed, listNeeds, MOST_FAILED } from '#product/administration/webhooks/needs.ts'
import * as scanCases from '#product/entrance/check-ins/scan-cases.ts'
import { countUnmatched } from '#product/selling/bank-statements/rules.ts'
import { countToApprove } from '#product/selling/orders/to-approve.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import { countToDecide, findKeyTrouble } from '#product/selling/payments/needs.ts'
import type { Paying } from '#product/selling/payments/reconciler.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { failedItems, findFailed, findMailNeeds, type Mails, mailItems } from './mail-needs.tsx'
import { lineItems, MOST_DISPUTES, MOST_LINES, MOST_OWED, moneyItems } from './money-needs.tsx'
import { isSeen } from './navigation.ts'
import { MOST_COUNTED, NONE, nameMost, type OfEvents, Whose } from './needs-of-events.tsx'
import type { AccountRequest } from './page-request.ts'
import { paths } from './paths.ts'
import { findPaused, pausedItems } from './paused.tsx'
import { findUnpayable, OF_SALE, unpayableItems } from './sale-needs.tsx'

/** Members who decide on orders see that some wait. */
const OF_ORDERS = { permission: 'guests.edit' } as const

/** Members who decide on money see what waits for a decision. */
const OF_MONEY = { permission: 'payments' } as const
const OF_ACCOUNT = { permission: 'account', isOfAllEvents: true } as const
/** Members who pay back see which refunds are owed. */
const OF_REFUNDS = { permission: 'refunds' } as const

/** What needs a person. Webhooks count for members who may see them, and the instance counts for its operators. */
export interface Needs extends Mails {
  /** The orders that wait for an approval or a refusal, by event. */
  orders: OfEvents
  /** The payments whose amount differs from the amount that was asked for, by event. */
  amounts: OfEvents
  /** The types that nobody can pay, by published event. */
  unpayable: OfEvents
  /** The scans of doors that are held or in conflict, by event. */
  scans: OfEvents
  stripeTrouble: 'denied' | 'no_key' | undefined
  /** The disputes that are not decided, the oldest first. */
  disputes: readonly disputes.Dispute[]
  /** The lost disputes whose tickets wait for a decision, the oldest first. */
  lostDisputes: readonly disputes.Dispute[]
  /** The number of refunds that somebody has to see to. */
  owed: number
  /** The number of lines of bank statements that wait for a decision. */
  bankLines: number
  /**
   * Since when mails and payments are held, in Unix milliseconds. It is null if nothing is held or the hold does not concern the
   * user.
   */
  paused: number | null
  endpoints: readonly EndpointNeed[]
  now: number
}

interface Sources {
  mail: MailService
  db: Pick<Database, 'read'>
  clock: Clock
  payments: Pick<Paying, 'processors'>
  instanceWatch: { needs(): Promise<InstanceNeeds> }
}

/**
 * Finds what needs the user of an account. An archived event is one that its organizer is done with, so nothing of it needs
 * anybody that comes to an end by itself or concerns guests alone:
 *
 * - An order that waits for approval lapses on its day, and has no money yet.
 * - Types that nobody can pay, scans that somebody may look at, and mails that reached nobody stay where they are, on the pages
 *   of the event.
 *
 * Money does not wait for a list of events, so it needs somebody as before: refunds that are owed, disputes, which banks decide by
 * themselves after a time, and payments whose amount waits for a decision, because somebody has paid them. Lines of bank
 * statements belong to no event. Once the event is put back, all of it is needed again.
 */
export async function findNeeds(sources: Sources, request: AccountRequest): Promise<Needs> {
  const { db, clock, mail, instanceWatch } = sources
  const { account, user } = request
  const now = clock()
  const found = await db.read(account.id, async tx => ({
    endpoints: isSeen(OF_WEBHOOKS, request) ? await listNeeds(tx, now) : [],
    bankLines: isSeen(OF_STATEMENTS, request) ? await countUnmatched(tx, MOST_LINES) : 0,
    orders: isSeen(OF_ORDERS, request) ? await findOrders(tx, request) : NONE,
    amounts: isSeen(OF_MONEY, request) ? await findAmounts(tx, request) : NONE,
    unpayable: isSeen(OF_SALE, request) ? await findUnpayable(tx, request, sources) : NONE,
    scans: isSeen(OF_DECISIONS, request) ? await findScans(tx, request) : NONE,
    stripeTrouble: isSeen(OF_ACCOUNT, request) ? await findKeyTrouble(tx) : undefined,
    disputes: isSeen(OF_MONEY, request) ? ownOf(await disputes.listOpen(tx, MOST_COUNTED), request) : [],
    lostDisputes: isSeen(OF_REFUNDS, request)
      ? ownOf(await disputes.listToDecide(tx, MOST_COUNTED), request)
      : [],
    owed: isSeen(OF_REFUNDS, request) ? await countOwed(tx, request) : 0,
    ...(isSeen(OF_MESSAGES, request)
      ? await findFailed(tx, request, now)
      : { failedMails: NONE, otherMails: 0 }),
    mail: user.operator ? await findMailNeeds(tx, mail) : undefined,
  }))
  const paused = await findPaused(sources, request)
  return { ...found, paused, instance: user.operator ? await instanceWatch.needs() : undefined, now }
}

async function findOrders(tx: ReadTx, { member }: AccountRequest): Promise<OfEvents> {
  const counts = await countToApprove(tx, member.event_ids, MOST_COUNTED)
  return nameMost(tx, counts)
}

async function findAmounts(tx: ReadTx, { member }: AccountRequest): Promise<OfEvents> {
  const amounts = await countToDecide(tx, member.event_ids, MOST_COUNTED)
  return nameMost(tx, amounts)
}

async function findScans(tx: ReadTx, { member }: AccountRequest): Promise<OfEvents> {
  return nameMost(tx, await scanCases.countByEvent(tx, member.event_ids, MOST_SCANS))
}

/** Returns those disputes of events that the member has, as far as the list names them. */
function ownOf(all: readonly disputes.Dispute[], { member }: AccountRequest): disputes.Dispute[] {
  const isOwn = ({ event_id }: disputes.Dispute) =>
    member.event_ids === null || member.event_ids.includes(event_id)
  return all.filter(isOwn).slice(0, MOST_DISPUTES)
}

async function countOwed(tx: ReadTx, { member }: AccountRequest): Promise<number> {
  return (await refunds.listToPayBack(tx, member.event_ids, MOST_OWED)).length
}

/** Renders nothing if nobody is needed. */
export function NeedsYou({ needs, request }: { needs: Needs; request: AccountRequest }) {
  const { needs: texts } = request.voice.texts
  const items = [
    ...pausedItems(needs.paused, request),
    ...orderItems(needs, request),
    ...unpayableItems(needs.unpayable, request),
    ...moneyItems(needs, request),
    ...scanItems(needs, request),
    ...lineItems(needs.bankLines, request),
    ...mailItems(needs, request),
    ...failedItems(needs, request),
    ...endpointItems(needs, request),
    ...instanceItems(needs, request),
  ]
  if (items.length === 0) return null
  return (
    <section class="card" aria-labelledby="needs">
      <h2 id="needs">{texts.title}</h2>
      <ul class="todo">
        {items.map(({ key, text, about, href }) => (
          <li key={key}>
            <span>
              <b>
                <bdi>{text}</bdi>
              </b>
              <br />
              <span class="small quiet">{about}</span>
            </span>
            {href !== undefined && <ButtonLink href={href}>{texts.look}</ButtonLink>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function orderItems({ orders: { most, others } }: Needs, { voice }: AccountRequest): Item[] {
  const { needs: texts } = voice.texts
  const items: Item[] = most.map(of => ({
    key: `orders ${of.id}`,
    text: of.count < MOST_COUNTED ? texts.orders(of.count) : texts.ordersOrMore(of.count),
    about: <Whose of={of} texts={voice.texts} />,
    href: withQuery(paths.orders(of.id), { state: 'pending' }),
  }))
  if (others > 0) items.push({ key: 'orders', text: texts.otherOrders(others), about: texts.othersAbout })
  return items
}

function scanItems({ scans: { most, others } }: Needs, { voice }: AccountRequest): Item[] {
  const { needs: texts } = voice.texts
  const items: Item[] = most.map(of => ({
    key: `scans ${of.id}`,
    text: of.count < MOST_SCANS ? texts.scans(of.count) : texts.scansOrMore(of.count),
    about: <Whose of={of} texts={voice.texts} />,
    href: paths.doors(of.id),
  }))
  if (others > 0) items.push({ key: 'scans', text: texts.otherScans(others), about: texts.othersAbout })
  return items
}

function endpointItems({ endpoints }: Needs, { account, voice }: AccountRequest): Item[] {
  const { needs: texts } = voice.texts
  const href = paths.webhooks(account.id)
  return endpoints.flatMap(({ id, url, failing_since: since, failed }) => {
    const { host } = new URL(url)
    const items: Item[] = []
    if (since !== null) {
      const about = texts.failingAbout(voice.format.dateTime(since))
      items.push({ key: `${id} fails`, text: texts.failing(host), about, href })
    }
    if (failed > 0) {
      const text = failed < MOST_FAILED ? texts.failed(failed, host) : texts.failedOrMore(failed, host)
      items.push({ key: `${id} failed`, text, about: texts.failedAbout, href })
    }
    return items
  })
}
