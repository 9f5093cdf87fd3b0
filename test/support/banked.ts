import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { agreementHash, fillBasket } from '#product/selling/orders/basket.ts'
import type { Method } from '#product/selling/payments/processor.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { settle } from '#product/selling/payments/settle.ts'

export const bank = {
  holder: 'Elm Hall <b>Ltd</b>',
  account: 'DE89 3704 0044 0532 0130 00',
  code: 'COBADEFFXXX',
  note: 'From abroad:\nask your bank.',
}

interface Place {
  db: Pick<Database, 'read' | 'write'>
  clock: Clock
  accountId: string
  eventId: string
  types: Readonly<Record<string, string>>
}

/** Adds the bank account that transfers go to. */
export async function addBank({ db, clock, accountId }: Pick<Place, 'db' | 'clock' | 'accountId'>) {
  await db.write(accountId, tx =>
    tx.run(
      `INSERT INTO payment_connections (account_id, method, bank, created_at, updated_at)
       VALUES ($1, 'transfer', $2, $3, $3) ON CONFLICT (account_id, method) DO NOTHING`,
      [accountId, JSON.stringify(bank), clock()],
    ),
  )
}

/** Sells an event that is paid by transfer and at the door, and does what buyers and banks do. */
export async function sellByTransfer(place: Place) {
  const { db, clock, accountId, eventId, types } = place
  await addBank(place)
  await db.write(accountId, tx => events.update(tx, eventId, { payment_ways: 'set_up_and_door' }))
  let forms = 0
  const order = async (
    wanted: Readonly<Record<string, number>>,
    {
      method = 'transfer',
      name = 'Ada Lovelace',
      email = `payer-${forms}@example.org`,
    }: { method?: Method | undefined; name?: string; email?: string } = {},
  ) => {
    const lines = Object.entries(wanted).map(([type, quantity]) => ({
      typeId: types[type] as string,
      quantity,
    }))
    const basket = await db.read(accountId, tx =>
      fillBasket(tx, eventId, { lines, code: undefined }, clock()),
    )
    const wish = {
      ...{ formId: `paid-${forms++}`, buyer: { name, email }, language: 'en' as const, answers: {} },
      agreement: agreementHash(basket),
      lines: lines.map(({ typeId, quantity }) => ({
        typeId,
        tickets: Array.from({ length: quantity }, (_, at) => ({ name: `Holder ${at}`, email: null })),
      })),
    }
    const options = { method, processors: new Map(), signed: [] }
    const placed = await db.write(accountId, tx => payments.placeOrder(tx, eventId, wish, options))
    const made = await db.read(accountId, tx => payments.listByOrder(tx, placed.id))
    return { ...placed, payment: made.at(-1) as (typeof made)[number] }
  }
  /** Records a transfer as a statement does. */
  const came = (paymentId: string, entryId: string, amount: number) =>
    db.write(accountId, tx =>
      settle(tx, paymentId, {
        ...{ entryId, amount, currency: 'EUR', at: clock(), fee: 0, method: 'transfer' },
      }),
    )
  return { order, came }
}
