import type { Database } from '#machinery/db/port.ts'
import { getDetails } from '#product/guests/registrations/details.ts'
import { readExchanges } from '#product/guests/registrations/exchange.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { exchangeTicket } from '#product/selling/exchanges/rules.ts'
import { agreementHash, fillBasket } from '#product/selling/orders/basket.ts'
import { place } from '#product/selling/orders/place.ts'
import * as orders from '#product/selling/orders/rules.ts'

/** Orders a free ticket, exchanges it twice, and does all that looks at exchanges. */
export async function exchangeTickets(
  db: Database,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  const { id } = await db.write(accountId, async tx => {
    await tx.run('UPDATE registration_types SET price = 0 WHERE id = $1', [typeId])
    const basket = await fillBasket(tx, eventId, { lines: [{ typeId, quantity: 1 }] }, tx.clock())
    return place(tx, eventId, {
      ...{ formId: 'exchange', language: 'en', answers: {} },
      buyer: { name: 'Kim', email: 'kim@example.org' },
      agreement: agreementHash(basket),
      lines: [{ typeId, tickets: [{ name: 'Kim', email: null }] }],
    })
  })
  const [first] = await db.read(accountId, async tx => (await orders.getDetails(tx, id)).registrations)
  let [registrationId, ticketId] = [first?.id as string, first?.attendees[0]?.id as string]
  for (let n = 0; n < 2; n++) {
    const of = { registrationId, ticketId, typeId, holder: { name: `Kim ${n}`, email: null }, back: 0 }
    const { made } = await db.write(accountId, tx => exchangeTicket(tx, of))
    registrationId = made.id
    ticketId = made.attendees[0]?.id as string
  }
  await db.read(accountId, async tx => readExchanges(tx, await getDetails(tx, first?.id as string)))
  await db.read(accountId, async tx => readExchanges(tx, await getDetails(tx, registrationId)))
  await db.write(accountId, tx => registrations.cancel(tx, registrationId))
}
