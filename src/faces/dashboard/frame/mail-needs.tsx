import { DAY } from '#base/time.ts'
import type { MailService } from '#faces/dashboard/system/mail-service.ts'
import type { Item } from '#faces/dashboard/system/needs-of-instance.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { InstanceNeeds } from '#machinery/ops/instance-needs.ts'
import { withQuery } from '#machinery/web/link.ts'
import { may } from '#product/administration/users/roles.ts'
import { pickUnlisted } from '#product/catalog/events/archive.ts'
import { isSeen } from './navigation.ts'
import { MOST_COUNTED, nameMost, type OfEvents, Whose } from './needs-of-events.tsx'
import type { AccountRequest } from './page-request.ts'
import { paths } from './paths.ts'

/** Members who may change the account, and have all its events, see that mails about no event failed. */
const OF_MAILS = { permission: 'account', isOfAllEvents: true } as const

/** Failed mails that were made within this time count, in milliseconds. */
const FAILED_WITHIN = 7 * DAY

/** The state of all mail, for operators of the instance. `trouble` is when it began, in Unix milliseconds. */
export interface MailNeeds {
  trouble: number | undefined
  isWaiting: boolean
}

/** What needs a person about mails. */
export interface Mails {
  /** Mails of the last days that reached nobody, by event. */
  failedMails: OfEvents
  /** The number of failed mails about no event. */
  otherMails: number
  mail: MailNeeds | undefined
  instance: InstanceNeeds | undefined
}

/** Finds whether the mails of the instance need its operator. */
export async function findMailNeeds(tx: ReadTx, mail: MailService): Promise<MailNeeds> {
  const isWaiting = !mail.isSetUp && (await emails.countWaiting(tx, 1)) > 0
  return { trouble: mail.state()?.trouble?.since, isWaiting }
}

/** Finds the mails that reached nobody. Those of archived events do not count. @param now milliseconds of the clock */
export async function findFailed(
  tx: ReadTx,
  request: AccountRequest,
  now: number,
): Promise<Pick<Mails, 'failedMails' | 'otherMails'>> {
  const { member } = request
  const counts = await countFailed(tx, member.event_ids, now - FAILED_WITHIN)
  const ofEvents = new Map([...counts].filter((each): each is [string, number] => each[0] !== null))
  return {
    failedMails: await nameMost(tx, ofEvents),
    otherMails: isSeen(OF_MAILS, request) ? (counts.get(null) ?? 0) : 0,
  }
}

/** Archived events may have so many failed mails that others have no turn. They are counted again without these, so often. */
const MOST_ROUNDS = 5

async function countFailed(
  tx: ReadTx,
  eventIds: readonly string[] | null,
  since: number,
): Promise<Map<string | null, number>> {
  const without = await pickUnlisted(tx, eventIds ?? [])
  const shown = eventIds?.filter(id => !without.has(id)) ?? null
  for (let round = 1; ; round++) {
    const of = { eventIds: shown, without: [...without], since }
    const counts = await emails.countFailed(tx, of, MOST_COUNTED)
    const sum = [...counts.values()].reduce((all, count) => all + count, 0)
    const archived = await pickUnlisted(
      tx,
      [...counts.keys()].filter(id => id !== null),
    )
    for (const id of archived) {
      counts.delete(id)
      without.add(id)
    }
    if (archived.size === 0 || sum < MOST_COUNTED || round === MOST_ROUNDS) return counts
  }
}

/** Returns the needs that concern all mails of the instance. */
export function mailItems({ mail, instance }: Mails, { account, voice }: AccountRequest): Item[] {
  const { needs: texts } = voice.texts
  const { format } = voice
  const items: Item[] = []
  const href = paths.system(account.id)
  // An instance for doors only sends no mail.
  if (mail !== undefined && instance?.isDoorOnly !== true) {
    const { trouble, isWaiting } = mail
    if (trouble !== undefined) {
      const text = texts.mailTrouble(format.dateTime(trouble))
      items.push({ key: 'trouble', text, about: texts.mailTroubleAbout, href })
    }
    if (isWaiting) items.push({ key: 'waits', text: texts.mailWaits, about: texts.mailWaitsAbout, href })
  }
  return items
}

/** Returns the needs that concern mails which reached nobody. */
export function failedItems(
  { failedMails, otherMails }: Mails,
  { account, member, voice }: AccountRequest,
): Item[] {
  const { needs: texts } = voice.texts
  const tell = (count: number) =>
    count < MOST_COUNTED ? texts.mailFailed(count) : texts.mailFailedOrMore(count)
  const failed = { state: 'failed' }
  const items: Item[] = failedMails.most.map(of => ({
    key: `mails ${of.id}`,
    text: tell(of.count),
    about: (
      <>
        <Whose of={of} texts={voice.texts} />
        {of.dates === 1 && '.'} {texts.mailFailedAbout}
      </>
    ),
    href: withQuery(paths.messages(of.id), failed),
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
