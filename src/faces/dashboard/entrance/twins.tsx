import type { ReadTx } from '#machinery/db/port.ts'
import type { DoorTicket } from '#product/entrance/check-ins/tickets.ts'
import { findMailable } from '#product/guests/registrations/mailable.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Texts } from '#texts/texts.ts'

/** What tells a person from others of the same name: an e-mail, and the reference of the order if there is one. */
export interface Distinction {
  email: string | undefined
  reference: string | undefined
}

/** At most this many tickets of a page are told apart. */
const MOST = 100

/** Returns what tells those of the found tickets apart whose names repeat, by ticket. Most names need nothing. */
export async function tellTwinsApart(
  tx: ReadTx,
  tickets: readonly DoorTicket[],
): Promise<ReadonlyMap<string, Distinction>> {
  const counts = new Map<string, number>()
  for (const ticket of tickets) counts.set(keyOf(ticket), (counts.get(keyOf(ticket)) ?? 0) + 1)
  const twins = tickets.filter(ticket => (counts.get(keyOf(ticket)) ?? 0) > 1).slice(0, MOST)
  const mailable = await findMailable(
    tx,
    twins.map(({ id }) => id),
  )
  const references = new Map<string, string | undefined>()
  for (const { registration_id: id } of twins) {
    if (!references.has(id)) references.set(id, await referenceOf(tx, id))
  }
  return new Map(
    mailable.map(({ id, registrationId, address, refusal }) => [
      id,
      {
        email: refusal === 'no_address' ? undefined : address,
        reference: references.get(registrationId),
      },
    ]),
  )
}

function keyOf({ name, buyer_name }: DoorTicket): string {
  return (name ?? buyer_name).toLowerCase()
}

async function referenceOf(tx: ReadTx, id: string): Promise<string | undefined> {
  return (await orders.findOrderOf(tx, await registrations.get(tx, id)))?.reference
}

/** Shows whose ticket it is where another one is in the same name. */
export function Apart({ distinction, texts }: { distinction: Distinction | undefined; texts: Texts }) {
  const { email, reference } = distinction ?? {}
  if (email === undefined && reference === undefined) return null
  return (
    <div class="small">
      {email !== undefined && <bdi>{email}</bdi>}
      {email !== undefined && reference !== undefined && ' · '}
      {reference !== undefined && <bdi>{texts.checkIn.ofOrder(reference)}</bdi>}
    </div>
  )
}
