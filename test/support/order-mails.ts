import type { TestContext } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import { agreementHash, fillBasket } from '#product/selling/orders/basket.ts'
import type { NewOrder } from '#product/selling/orders/place.ts'
import { verify } from '#product/selling/orders/verification.ts'
import type { Method } from '#product/selling/payments/processor.ts'
import * as payments from '#product/selling/payments/rules.ts'
import type { ReceivedMail } from './mail-server.ts'
import { openScriptedShop } from './scripted-shop.ts'
import { startTicketMail } from './ticket-mail.ts'

/** The seller of the orders whose mails are read. */
export const SELLER = {
  legal_name: 'Elm Hall Association',
  address: 'Calle Mayor 1\n28001 Madrid',
  tax_id: 'G12345678',
  imprint_url: 'https://elm.example/imprint',
}

/** What a buyer orders: for each type, the holders of its tickets, each with a name and maybe an e-mail. */
export type Wanted = Readonly<Record<string, readonly (readonly [name: string, email?: string])[]>>

export const TWO_AND_DINNER: Wanted = {
  Standard: [['Ada Lovelace'], ['Grace Hopper']],
  Dinner: [['Ada Lovelace']],
}

interface Options {
  event?: object
  changes?: EventChanges
  account?: object
}

/** Opens a shop whose mails go to a server on a real socket: two tickets and a dinner come to 130 €. */
export async function openOrderMails(
  t: TestContext,
  { event = {}, changes = {}, account = {} }: Options = {},
) {
  const shop = await openScriptedShop(t, {
    event: {
      ...{ title: 'Spring Meeting', venue: 'Main Hall', city: 'Madrid', timezone: 'Europe/Madrid' },
      ...{ starts_at: '2026-12-23T08:00:00Z', ends_at: '2026-12-23T17:00:00Z' },
      registration_types: [
        { name: 'Standard', price: 5000, capacity: 50, tax_basis_points: 2100 },
        { name: 'Dinner', price: 3000, capacity: 50, tax_basis_points: 1000 },
        { name: 'Free', price: 0, capacity: 50 },
      ],
      ...event,
    },
    changes: {
      ...{ address: 'Calle Mayor 1\n28001 Madrid', contact_email: 'desk@example.org' },
      terms: 'Bring a **photo ID**.\n\n- No dogs',
      ...changes,
    },
  })
  const { db, accountId, eventId, types, clock, processors } = shop
  await db.write(accountId, tx => accounts.update(tx, { ...SELLER, ...account }))
  const { secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )) as { secret: string }
  const mail = await startTicketMail(t, db, clock, secret)
  /** Orders for Ada, and returns the id of the order. */
  const place = async (
    wanted: Wanted,
    { method, ...more }: Partial<NewOrder> & { method?: Method | undefined } = {},
  ): Promise<string> => {
    const lines = Object.entries(wanted).map(([name, tickets]) => ({
      typeId: types[name] as string,
      tickets: tickets.map(([holder, email = null]) => ({ name: holder, email })),
    }))
    const { code } = more
    const sizes = lines.map(({ typeId, tickets }) => ({ typeId, quantity: tickets.length }))
    const basket = await db.read(accountId, tx => fillBasket(tx, eventId, { lines: sizes, code }, clock()))
    const order = {
      ...{ formId: crypto.randomUUID(), buyer: { name: 'Ada Lovelace', email: 'ada@example.org' } },
      ...({ language: 'en', answers: {}, agreement: agreementHash(basket), ...more } as const),
      lines,
    }
    const placed = await db.write(accountId, tx =>
      payments.placeOrder(tx, eventId, order, { method, processors, signed: [] }),
    )
    return placed.id
  }
  /** Orders and pays, and returns the id of the order. */
  const buy = async (wanted: Wanted, options: Partial<NewOrder> = {}): Promise<string> => {
    const id = await place(wanted, { ...options, method: 'test' })
    await shop.reconciler.settle()
    await shop.pay(id)
    return id
  }
  /** Orders what costs nothing, and says by the link in the mail that others are to be mailed. */
  const take = async (wanted: Wanted, options: Partial<NewOrder> = {}): Promise<string> => {
    const id = await place(wanted, options)
    await db.write(accountId, tx => verify(tx, id, 'buyer'))
    return id
  }
  /** Returns the one mail since the last call that an address got. */
  const takeOne = async (email = 'ada@example.org'): Promise<ReceivedMail> => {
    const mails = (await mail.take()).filter(({ to }) => to[0] === email)
    const [only] = mails
    if (only === undefined || mails.length > 1) throw new Error(`There are ${mails.length} mails.`)
    return only
  }
  return { ...shop, ...mail, place, buy, free: take, takeOne }
}

/** Returns the text of a mail. */
export function textOf({ parsed }: ReceivedMail): string {
  return parsed.text ?? ''
}

/** Returns the files of a mail by their names. */
export function filesOf({ parsed }: ReceivedMail): Map<string, Buffer> {
  return new Map(parsed.attachments.map(({ filename, content }) => [filename ?? '', content]))
}
