import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Pace, reserveSlot } from '#machinery/mail/pacing.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startMailServer } from '../mail-server.ts'
import { UNKNOWN_ID } from '../requests.ts'
import { type FormAnswer, fresh, startSale } from './order-forms.ts'

/** Starts with people who come through a proxy, each from an address of their own, and reads what they are sent. */
export async function startWithStrangers(t: TestContext, event: object = {}) {
  const mailServer = await startMailServer(t)
  const settings = {
    ...{ smtpUrl: mailServer.url, mailFrom: 'tickets@example.org', mailRate: 10_000 },
    ...{ trustProxy: ['127.0.0.1'], orderRate: 1_000 },
  }
  const sale = {
    registration_types: [{ name: 'Guest', price: 0, capacity: 1_000 }],
    cancel_until: '2026-11-30T00:00:00Z',
    ...event,
  }
  const server = await startSale(t, sale, { settings })
  const { types, review, order, forms, db, accountId, eventId, client } = server
  const { received } = mailServer
  const from = (address: string) => ({ 'x-forwarded-for': address })

  /** Orders a ticket for the buyer and one for each of the others. @returns the path of the order's page */
  const buy = async (
    buyer: string,
    others: readonly string[] = [],
    address = '192.0.2.1',
    name = 'Grace',
  ): Promise<string> => {
    const ofTickets = others.map((email, at) => [`ticket.${types.Guest}.${at + 1}.email`, email])
    const typed = { 'buyer.name': name, 'buyer.email': buyer, ...Object.fromEntries(ofTickets) }
    const sent = await review(`q.${types.Guest}=${others.length + 1}`, typed)
    const answer = await order(fresh(sent, buyer), from(address))
    assert.equal(answer.status, 303, answer.text)
    return answer.location as string
  }
  const to = (email: string) => received.filter(mail => mail.to.includes(email))
  /** Waits until the server for mail has what is due, and nothing is. */
  const settled = () => server.app.settled('mails')
  /** Returns the path to confirm in the newest mail to a buyer. It is undefined if the mail asks for nothing. */
  const confirmPath = (email: string): string | undefined => {
    const text = to(email).at(-1)?.parsed.text ?? ''
    return /https?:\/\/[^/]+(\/orders\/[\w-]{46}\/confirm)/.exec(text)?.[1]
  }
  const confirm = (path: string, address = '192.0.2.1'): Promise<FormAnswer> =>
    forms.post(path, '', from(address))
  const page = (path: string) => forms.get(path)
  /** Takes turns of the network that the first order came from: all that there are within a day, or some. */
  const flood = async (pace: Pace, most = Number.POSITIVE_INFINITY): Promise<void> => {
    await db.write(accountId, async tx => {
      const row = await tx.one<{ networks: string }>(
        'SELECT placed_from AS networks FROM orders WHERE placed_from IS NOT NULL ORDER BY created_at LIMIT 1',
      )
      const turns = { networks: row?.networks.split(' ') ?? [], paces: [pace], subjectId: UNKNOWN_ID }
      let taken = 0
      while (taken < most && (await reserveSlot(tx, turns)) !== undefined) taken++
    })
    // The server sees it at once.
    await client.post('/check-ins', { attendee_id: UNKNOWN_ID })
  }
  const newestId = async (): Promise<string> => {
    const [newest] = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 1 }))
    return newest?.id as string
  }
  return {
    ...server,
    ...{ received, mailServer, from, buy, to, settled, confirmPath, confirm, page, flood, newestId },
  }
}
