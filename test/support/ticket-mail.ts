import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import ical from 'ical.js'
import { mailKinds } from '#app/mail-kinds.ts'
import { openLog } from '#base/log.ts'
import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { MailLoop } from '#machinery/mail/loop.ts'
import { Smtp } from '#machinery/mail/smtp.ts'
import { readSender, readSmtpUrl } from '#machinery/mail/smtp-settings.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { type NewOrder, place } from '#product/selling/orders/place.ts'
import { verify } from '#product/selling/orders/verification.ts'
import { type ReceivedMail, startMailServer } from './mail-server.ts'

export type Ticket = [name: string, email: string | null]

/** An order of free tickets, by a buyer with this e-mail; each ticket has a name and maybe an e-mail. */
export function orderFree(
  db: Database,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
  buyer: string,
  tickets: Ticket[] = [[buyer, null]],
  changes: Partial<NewOrder> = {},
) {
  return db.write(accountId, async tx => {
    const placed = await place(tx, eventId, {
      formId: crypto.randomUUID(),
      buyer: { name: buyer, email: `${buyer.toLowerCase()}@example.org` },
      language: 'en',
      answers: {},
      agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
      lines: [{ typeId, tickets: tickets.map(([name, email]) => ({ name, email })) }],
      ...changes,
    })
    // Its buyer has confirmed at once that others are to be mailed.
    return placed.status === 'confirmed' ? (await verify(tx, placed.id, 'buyer')).order : placed
  })
}

/** Sends what is due in the outbox to a server on a real socket, on each call. @param secret of the links in it */
export async function startTicketMail(t: TestContext, db: Database, clock: Clock, secret = 's') {
  const mailServer = await startMailServer(t)
  const smtp = new Smtp(readSmtpUrl(mailServer.url), readSender('tickets@example.org'))
  const log = openLog('silent', { write: () => undefined })
  const server = { baseUrl: 'https://tickets.example.org', secret }
  const loop = new MailLoop({ db, clock, log, smtp, kinds: mailKinds, server, rate: 100_000 })
  loop.start()
  t.after(() => loop.stop())
  let taken = 0
  /** Returns the mails since the last call, by recipient and subject. */
  const take = async (): Promise<ReceivedMail[]> => {
    await loop.settled()
    const fresh = mailServer.received.slice(taken)
    taken = mailServer.received.length
    return fresh.sort((one, other) => keyOf(one).localeCompare(keyOf(other)))
  }
  return { take, loop, received: mailServer.received, script: mailServer.script }
}

const keyOf = ({ to, parsed }: ReceivedMail) => `${to[0]?.toLowerCase()} ${parsed.subject}`

/** Returns the recipients of mails and their subjects. */
export function subjectsOf(mails: readonly ReceivedMail[]): [string, string][] {
  return mails.map(({ to, parsed }) => [(to[0] as string).toLowerCase(), parsed.subject ?? ''])
}

/** Reads the calendar file in a mail. */
export function calendarIn({ parsed }: ReceivedMail) {
  const file = parsed.attachments.find(({ contentType }) => contentType === 'text/calendar')
  if (file === undefined) return undefined
  const calendar = new ical.Component(ical.parse(file.content.toString()))
  const event = calendar.getFirstSubcomponent('vevent')
  assert.ok(event !== null)
  const propertyOf = (name: string) => event.getFirstPropertyValue(name)
  return {
    header: String(file.headers.get('content-type') && JSON.stringify(file.headers.get('content-type'))),
    method: calendar.getFirstPropertyValue('method'),
    ...{ uid: propertyOf('uid'), sequence: propertyOf('sequence'), status: propertyOf('status') },
    ...{
      starts: String(propertyOf('dtstart')),
      place: propertyOf('location'),
      organizer: propertyOf('organizer'),
    },
  }
}
