import { countUnmatched } from '../bank-statements/rules.ts'
import * as scanLog from '../checkins/scan-log.ts'
import { findHold } from '../db/instance.ts'
import type { Database, ReadTx } from '../db/port.ts'
import * as emails from '../emails/rules.ts'
import type { InstanceNeeds } from '../ops/instance-needs.ts'
import * as orders from '../orders/rules.ts'
import { type Dispute, listOpen as listOpenDisputes } from '../payments/disputes.ts'
import { countToDecide, isStripeDenied } from '../payments/needs.ts'
import * as refunds from '../payments/refunds.ts'
import { type Clock, DAY } from '../time.ts'
import { may } from '../users/roles.ts'
import { ButtonLink } from '../web/components/parts.tsx'
import { withQuery } from '../web/link.ts'
import { type EndpointNeed, listNeeds, MOST_FAILED } from '../webhooks/needs.ts'
import type { OfAccount } from './asked.ts'
import { MOST_SCANS, OF_DECISIONS } from './door-parts.tsx'
import { findTitles } from './event-titles.ts'
import type { MailService } from './mail-service.ts'
import { OF_MESSAGES } from './message-parts.tsx'
import { lineItems, MOST_DISPUTES, MOST_LINES, MOST_OWED, moneyItems } from './money-needs.tsx'
import { isSeen } from './navigation.ts'
import { type Item, instanceItems } from './needs-of-instance.tsx'
import { paths } from './paths.ts'
import { OF_STATEMENTS } from './statement-parts.tsx'
import { OF_WEBHOOKS } from './webhook-parts.tsx'

/** Whoever may change how the organization appears is told that mails about no event reached nobody. */
const OF_MAILS = { permission: 'account', isOfAllEvents: true } as const

/** Whoever decides on orders is told that some wait. */
const OF_ORDERS = { permission: 'guests.edit' } as const

/** Whoever decides on money is told of what waits for that. */
const OF_MONEY = { permission: 'payments' } as const
const OF_ACCOUNT = { permission: 'account', isOfAllEvents: true } as const
/** Whoever pays back is told what is owed. */
const OF_REFUNDS = { permission: 'refunds' } as const

/** Of mails that failed, those that were made so long ago are of interest, in milliseconds. */
const FAILED_WITHIN = 7 * DAY
/** Mails that are counted one by one, and orders. */
const MOST_COUNTED = 1000
/** Events that are named of those that have the most, of either kind. */
const MOST_EVENTS = 5

/** What asks for somebody: of webhooks for those who may see them, of the instance for whoever runs it. */
export interface Needs {
  /** Orders that wait for somebody to approve or decline them, by event. */
  orders: OfEvents
  /** Payments whose amount is not what was asked for, by event. */
  amounts: OfEvents
  /** Scans of doors that are held, and conflicts, by event. */
  scans: OfEvents
  isStripeDenied: boolean
  /** That are not decided, the oldest first. */
  disputes: readonly Dispute[]
  /** Refunds that somebody has to see to. */
  owed: number
  /** Mails of the last days that reached nobody, by event. */
  failedMails: OfEvents
  /** The same about no event. */
  otherMails: number
  /** Lines of bank statements that wait for somebody to decide. */
  bankLines: number
  mail: MailNeeds | undefined
  endpoints: readonly EndpointNeed[]
  instance: InstanceNeeds | undefined
  now: number
}

/** Those events that have the most of something, and how many others have some. */
interface OfEvents {
  most: readonly { id: string; title: string; count: number }[]
  others: number
}

const NONE: OfEvents = { most: [], others: 0 }

/** Of all mail, for whoever runs the instance. In milliseconds, since when. */
interface MailNeeds {
  held: number | null
  trouble: number | undefined
  isWaiting: boolean
}

interface Sources {
  mail: MailService
  db: Pick<Database, 'read'>
  clock: Clock
  instanceWatch: { needs(): Promise<InstanceNeeds> }
}

export async function findNeeds(sources: Sources, asked: OfAccount): Promise<Needs> {
  const { db, clock, instanceWatch } = sources
  const { account, user } = asked
  const now = clock()
  const found = await db.read(async tx => ({
    endpoints: isSeen(OF_WEBHOOKS, asked) ? await listNeeds(tx, account.id, now) : [],
    bankLines: isSeen(OF_STATEMENTS, asked) ? await countUnmatched(tx, account.id, MOST_LINES) : 0,
    orders: isSeen(OF_ORDERS, asked) ? await findOrders(tx, asked) : NONE,
    amounts: isSeen(OF_MONEY, asked) ? await findAmounts(tx, asked) : NONE,
    scans: isSeen(OF_DECISIONS, asked) ? await findScans(tx, asked) : NONE,
    isStripeDenied: isSeen(OF_ACCOUNT, asked) && (await isStripeDenied(tx, account.id)),
    disputes: isSeen(OF_MONEY, asked) ? await findDisputes(tx, asked) : [],
    owed: isSeen(OF_REFUNDS, asked) ? await countOwed(tx, asked) : 0,
    ...(isSeen(OF_MESSAGES, asked) ? await findFailed(tx, asked, now) : { failedMails: NONE, otherMails: 0 }),
    mail: user.operator ? await findMailNeeds(tx, sources) : undefined,
  }))
  return { ...found, instance: user.operator ? await instanceWatch.needs() : undefined, now }
}

async function findOrders(tx: ReadTx, { account, member }: OfAccount): Promise<OfEvents> {
  const counts = await orders.countToApprove(tx, account.id, member.event_ids, MOST_COUNTED)
  return nameMost(tx, account.id, counts)
}

async function findAmounts(tx: ReadTx, { account, member }: OfAccount): Promise<OfEvents> {
  const amounts = await countToDecide(tx, account.id, member.event_ids, MOST_COUNTED)
  return nameMost(tx, account.id, amounts)
}

async function findScans(tx: ReadTx, { account, member }: OfAccount): Promise<OfEvents> {
  return nameMost(tx, account.id, await scanLog.countByEvent(tx, account.id, member.event_ids, MOST_SCANS))
}

async function findDisputes(tx: ReadTx, { account, member }: OfAccount): Promise<Dispute[]> {
  const open = await listOpenDisputes(tx, account.id, MOST_COUNTED)
  const isOwn = ({ event_id }: Dispute) => member.event_ids === null || member.event_ids.includes(event_id)
  return open.filter(isOwn).slice(0, MOST_DISPUTES)
}

async function countOwed(tx: ReadTx, { account, member }: OfAccount): Promise<number> {
  return (await refunds.listToPayBack(tx, account.id, member.event_ids, MOST_OWED)).length
}

async function findFailed(tx: ReadTx, asked: OfAccount, now: number) {
  const { account, member } = asked
  const of = { eventIds: member.event_ids, since: now - FAILED_WITHIN }
  const counts = await emails.countFailed(tx, account.id, of, MOST_COUNTED)
  const ofEvents = new Map([...counts].filter((each): each is [string, number] => each[0] !== null))
  return {
    failedMails: await nameMost(tx, account.id, ofEvents),
    otherMails: isSeen(OF_MAILS, asked) ? (counts.get(null) ?? 0) : 0,
  }
}

async function nameMost(
  tx: ReadTx,
  accountId: string,
  counts: ReadonlyMap<string, number>,
): Promise<OfEvents> {
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  const some = sorted.slice(0, MOST_EVENTS)
  const ids = some.map(([id]) => id)
  const titles = await findTitles(tx, accountId, ids)
  return {
    most: some.map(([id, count]) => ({ id, count, title: titles.get(id) ?? '' })),
    others: sorted.length - some.length,
  }
}

async function findMailNeeds(tx: ReadTx, { mail }: Sources): Promise<MailNeeds> {
  const isWaiting = !mail.isSetUp && (await emails.countWaiting(tx, 1)) > 0
  return { held: await findHold(tx), trouble: mail.state()?.trouble?.since, isWaiting }
}

/** Nothing, where nobody is needed. */
export function NeedsYou({ needs, asked }: { needs: Needs; asked: OfAccount }) {
  const { needs: texts } = asked.voice.texts
  const items = [
    ...orderItems(needs, asked),
    ...moneyItems(needs, asked),
    ...scanItems(needs, asked),
    ...lineItems(needs.bankLines, asked),
    ...mailItems(needs, asked),
    ...failedItems(needs, asked),
    ...endpointItems(needs, asked),
    ...instanceItems(needs, asked),
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

function mailItems({ mail, instance }: Needs, { account, voice }: OfAccount): Item[] {
  const { needs: texts } = voice.texts
  const { format } = voice
  const items: Item[] = []
  const href = paths.system(account.id)
  // A box mails nothing whatever is held, and nobody lets it go there.
  if (mail !== undefined && instance?.isDoorOnly !== true) {
    const { held, trouble, isWaiting } = mail
    if (held !== null) {
      items.push({
        key: 'held',
        text: texts.mailHeld(format.dateTime(held)),
        about: texts.mailHeldAbout,
        href,
      })
    }
    if (trouble !== undefined) {
      const text = texts.mailTrouble(format.dateTime(trouble))
      items.push({ key: 'trouble', text, about: texts.mailTroubleAbout, href })
    }
    if (isWaiting) items.push({ key: 'waits', text: texts.mailWaits, about: texts.mailWaitsAbout, href })
  }
  return items
}

function orderItems({ orders: { most, others } }: Needs, { voice }: OfAccount): Item[] {
  const { needs: texts } = voice.texts
  const items: Item[] = most.map(({ id, title, count }) => ({
    key: `orders ${id}`,
    text: count < MOST_COUNTED ? texts.orders(count) : texts.ordersOrMore(count),
    about: <bdi>{title}</bdi>,
    href: withQuery(paths.orders(id), { state: 'pending' }),
  }))
  if (others > 0) items.push({ key: 'orders', text: texts.otherOrders(others), about: texts.othersAbout })
  return items
}

function scanItems({ scans: { most, others } }: Needs, { voice }: OfAccount): Item[] {
  const { needs: texts } = voice.texts
  const items: Item[] = most.map(({ id, title, count }) => ({
    key: `scans ${id}`,
    text: count < MOST_SCANS ? texts.scans(count) : texts.scansOrMore(count),
    about: <bdi>{title}</bdi>,
    href: paths.doors(id),
  }))
  if (others > 0) items.push({ key: 'scans', text: texts.otherScans(others), about: texts.othersAbout })
  return items
}

function failedItems({ failedMails, otherMails }: Needs, { account, member, voice }: OfAccount): Item[] {
  const { needs: texts } = voice.texts
  const tell = (count: number) =>
    count < MOST_COUNTED ? texts.mailFailed(count) : texts.mailFailedOrMore(count)
  const failed = { state: 'failed' }
  const items: Item[] = failedMails.most.map(({ id, title, count }) => ({
    key: `mails ${id}`,
    text: tell(count),
    about: (
      <>
        <bdi>{title}</bdi>. {texts.mailFailedAbout}
      </>
    ),
    href: withQuery(paths.messages(id), failed),
  }))
  if (failedMails.others > 0) {
    items.push({ key: 'mails', text: texts.otherMails(failedMails.others), about: texts.othersAbout })
  }
  if (otherMails > 0) {
    const isRead = may(member.role, 'account.messages')
    const log = isRead ? { href: withQuery(paths.accountMessages(account.id), failed) } : {}
    items.push({ key: 'other mails', text: tell(otherMails), about: texts.mailFailedAbout, ...log })
  }
  return items
}

function endpointItems({ endpoints }: Needs, { account, voice }: OfAccount): Item[] {
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
