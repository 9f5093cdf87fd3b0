import type { TestContext } from 'node:test'
import { newUuid } from '#base/ids.ts'
import { openLog } from '#base/log.ts'
import { DAY } from '#base/time.ts'
import { readInstance } from '#machinery/db/instance.ts'
import { INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { linkSecret, type Purpose } from '#machinery/web/link-secret.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { unsubscribeUrl } from '#product/mailing/announcements/unsubscribe-link.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { offeringReleases, offerMore } from '#product/selling/orders/offers.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { TestProcessor } from '#product/selling/payments/test-processor.ts'
import { openDatabase } from './engine.ts'
import { diskFolder } from './folder.ts'
import { organization, registration } from './organization.ts'
import { seller } from './people/organizer.ts'
import type { Applied } from './server.ts'

/** There are so many orders of each kind, because what is posted to one may end it. */
const OF_EACH = 150
/** An order may have this many tickets. */
const TICKETS = 20
const BASE_URL = 'http://127.0.0.1'

const soon = (days: number) => new Date(Date.now() + days * DAY).toISOString()

const file = () =>
  organization({
    event: {
      ...{ status: 'published', visibility: 'public', starts_at: soon(7), ends_at: soon(8) },
      waitlist_mode: 'offer',
      registration_types: [
        { name: 'Free', price: 0, capacity: 1_000_000 },
        { name: 'Paid', price: 5000, capacity: 1_000_000 },
        { name: 'Wanted', price: 0, capacity: 0 },
      ],
      registrations: Array.from({ length: OF_EACH }, (_, n) =>
        registration(`imported-${n}`, { registration_type: 'Free' }),
      ),
      questions: [{ key: 'why', label: 'Why?', kind: 'long_text', asked_for: 'order' }],
    },
  })

/**
 * Prepares a data folder with as many orders of each kind as are posted to, for a server on the real clock, and the links to them.
 */
export async function prepareOrders(t: TestContext) {
  const data = diskFolder(t)
  const clock = Date.now
  const db = await openDatabase(data, clock)
  try {
    const applied = (await applyOrganization(db, file(), { clock })) as Applied
    const { account_id: accountId } = applied
    const { id: eventId, registration_types: types } = applied.events[
      'spring-meeting'
    ] as Applied['events'][string]
    const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
    await write(tx => accounts.update(tx, { ...seller, invoice_from: null }))
    const changes = {
      payment_ways: 'set_up_and_door',
      cancel_until: clock() + 6 * DAY,
      withdrawal_excluded: false,
      give_on: true,
    } as const
    await write(tx => events.update(tx, eventId, changes))
    const processors = new Map([['test' as const, new TestProcessor({ db, clock, baseUrl: BASE_URL })]])
    let forms = 0
    const placeMany = async (type: 'Free' | 'Paid', method: 'test' | 'door' | undefined) => {
      const event = await db.read(accountId, tx => events.getDetails(tx, eventId))
      const holder = (n: number) => ({ name: `Holder ${n}`, email: `holder-${n}@example.org` })
      const place = () => ({
        ...{ formId: `form-${forms++}`, buyer: { name: 'Ada', email: `ada-${forms}@example.org` } },
        ...{ language: 'en' as const, answers: {} },
        agreement: agreementHash({ total: type === 'Free' ? 0 : 5000 * TICKETS, event }),
        lines: [
          { typeId: types[type] as string, tickets: Array.from({ length: TICKETS }, (_, n) => holder(n)) },
        ],
      })
      const ways = { method, processors, signed: [] } as const
      for (let n = 0; n < OF_EACH; n++) await write(tx => payments.placeOrder(tx, eventId, place(), ways))
    }
    const { cursor_secret: secret } = await db.read(INSTANCE, readInstance)
    const linkOf = (
      purpose: Purpose,
      { id, secret_version: version }: { id: string; secret_version: number },
    ) => linkSecret(secret, purpose, { id, version })
    /** Returns the links to the orders that were placed meanwhile. */
    const placed = async (placing: () => Promise<unknown>, purpose: Purpose = 'order') => {
      const before = new Set((await listed()).map(({ id }) => id))
      await placing()
      return (await listed()).filter(({ id }) => !before.has(id)).map(order => linkOf(purpose, order))
    }
    const listed = () =>
      db.read(INSTANCE, tx =>
        tx.all<{ id: string; secret_version: number }>('SELECT id, secret_version FROM orders'),
      )
    const free = () => placeMany('Free', undefined)
    const pools = {
      names: await placed(free),
      cancel: await placed(free),
      withdraw: await placed(free),
      confirm: await placed(free, 'verify'),
      resend: await placed(free),
      invoice: await placed(() => placeMany('Paid', 'door')),
      pay: await placed(() => placeMany('Paid', 'door')),
      ...(await offer()),
    }
    const given = await placedToGive()
    await placeMany('Paid', 'test')
    const log = openLog('silent', { write: () => undefined })
    await new Reconciler({ db, clock, log, processors, server: { baseUrl: BASE_URL, secret } }).settle()
    const sessions = await db.read(INSTANCE, tx => tx.all<{ id: string }>('SELECT id FROM test_sessions'))

    /** Returns new orders with two of their tickets each: one for the page of the order, and the link of another. */
    async function placedToGive() {
      const before = new Set((await listed()).map(({ id }) => id))
      await free()
      const rows = await db.read(INSTANCE, tx =>
        tx.all<{ id: string; secret_version: number; one: string; other: string }>(
          `SELECT o.id, o.secret_version, min(a.id) AS one, max(a.id) AS other FROM orders o JOIN registrations r ON r.order_id = o.id
           JOIN attendees a ON a.registration_id = r.id GROUP BY o.id, o.secret_version`,
        ),
      )
      return rows
        .filter(({ id }) => !before.has(id))
        .map(({ one, other, ...order }) => ({
          ofOrder: `/orders/${linkOf('order', order)}/give/${one}`,
          ofTicket: `/tickets/${linkOf('ticket', { ...order, id: other })}/give`,
        }))
    }

    /** Holds places for those who wait. */
    async function offer() {
      const typeId = types.Wanted as string
      const offering = offeringReleases(db, async () => false)
      const more = offerMore(async () => false)
      const job = {
        id: newUuid(),
        event_id: eventId,
        input: { type_ids: [typeId] },
        position: null,
        lease: 0,
      }
      const batch = { ...job, done: 0, total: null, outcome: null }
      const actor = { accountId, who: 'cli', requestId: null, address: null }
      const all = await placed(async () => {
        for (let n = 0; n < 2 * OF_EACH; n++) {
          const wes = { name: 'Wes', email: `wes-${n}@example.org`, quantity: 3, language: 'en' as const }
          await write(tx => waitlist.join(tx, eventId, { typeId, ...wes }))
        }
        await offering.write(accountId, tx =>
          registrationTypes.update(tx, eventId, typeId, { capacity: 1_000_000 }),
        )
        while (!(await write(tx => more.run(tx, batch, actor))).finished) {}
      })
      return { take: all.slice(0, OF_EACH), 'turn-down': all.slice(OF_EACH) }
    }

    const input = { name: 'watch', scopes: allScopes, expiresAt: null, rateLimit: 0 }
    const { key } = await write(tx => keys.create(tx, input))
    const tokens = Array.from({ length: OF_EACH }, (_, n) => {
      const subscription = { accountId, email: `a${n}@example.org` }
      return new URL(unsubscribeUrl('http://x', secret, subscription)).pathname
    })
    const imported = await db.read(INSTANCE, tx =>
      tx.all<{ id: string }>(
        'SELECT a.id FROM attendees a JOIN registrations r ON r.id = a.registration_id WHERE r.order_id IS NULL',
      ),
    )
    return {
      ...{ data, key, eventId, accountId, pools, given, unsubscribe: tokens },
      tickets: imported.map(({ id }) => linkOf('ticket', { id, secret_version: 1 })),
      tests: sessions.map(({ id }) => `/orders/test/${accountId}/${id}`),
    }
  } finally {
    await db.close()
  }
}
