import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { refundOrder } from '#product/selling/payments/refunding.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import type { Payment } from '#product/selling/payments/schemas.ts'
import { changed, fresh, hiddenOf, PATH } from '../people/order-forms.ts'
import type { Nodes } from '../postgres-nodes.ts'
import { orNothing } from './load.ts'

export interface Buying {
  /** The pages of the orders, by the ids of their forms. */
  orders: ReadonlyMap<string, string>
  /** How many orders money is asked back for. */
  readonly refunded: number
  /** Waits until every order is paid and every refund is done, and sends each form again. */
  stop(): Promise<void>
}

const PATIENCE = 6_000
const LOOK = 300
/** Minor units of each refund. */
export const BACK = 1_000
const REFUNDING = { ticketIds: [], amount: BACK, reason: 'organizer', note: null, isNotified: true } as const

interface Page {
  status: number
  text: string
  location: string | null
}

/** Has people order, pay at the stand-in for Stripe, and get a part back. */
export function startBuying(nodes: Nodes, typeId: string, buyers: number): Buying {
  const { db, accountId, stripe } = nodes
  const orders = new Map<string, string>()
  const forms: URLSearchParams[] = []
  let isStopping = false
  let refunded = 0

  const open = async (at: number, path: string, form?: URLSearchParams): Promise<Page | undefined> => {
    const site = nodes.servers[at % nodes.servers.length]?.url.replace(/\/v1$/, '')
    const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(`${site}${path}`, {
      ...{ headers, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    const page = {
      ...{ status: answer.status, text: await answer.text() },
      location: answer.headers.get('location'),
    }
    if (page.status === 429 || page.status === 503) return undefined
    assert.ok(page.status < 400, `${page.status} ${page.text.slice(0, 2_000)}`)
    return page
  }
  const ask = async (path: string, form?: URLSearchParams): Promise<Page> => {
    for (let at = 0; ; at++) {
      nodes.signal.throwIfAborted()
      const page = await orNothing(open(at, path, form))
      if (page !== undefined) return page
      await pause(LOOK)
    }
  }
  const order = async (form: URLSearchParams) => {
    const { status, location, text } = await ask(`${PATH}register/order`, form)
    assert.equal(status, 303, text.slice(0, 2_000))
    return (location as string).split('?')[0] as string
  }
  /** Looks until something is there, and goes to the page meanwhile, as whoever waits does. */
  const until = async <T>(page: string, look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const found = await orNothing(look())
      if (found !== undefined) return found
      await ask(page)
      await pause(LOOK)
    }
  }
  const buy = async (review: URLSearchParams) => {
    const form = changed(fresh(review, `buyer-${forms.length}@example.org`), { pay: 'stripe' })
    forms.push(form)
    const formId = form.get('form.id') as string
    const page = await order(form)
    orders.set(formId, page)
    const orderId = await until(page, () =>
      db.read(accountId, async tx => {
        const found = await tx.one<{ id: string }>(
          'SELECT id FROM orders WHERE account_id = $1 AND form_id = $2',
          [accountId, formId],
        )
        return found?.id
      }),
    )
    const last = async () =>
      (await db.read(accountId, tx => payments.listByOrder(tx, orderId))).at(-1) as Payment
    const session = await until(page, async () => (await last()).session_id ?? undefined)
    await stripe?.remote.pay(session)
    await until(page, async () => (await last()).status === 'confirmed' || undefined)
    refunded++
    // Whoever does not know whether it was done looks.
    await until(page, () =>
      db.write(accountId, async tx => {
        const asked = await refunds.listByOrder(tx, orderId)
        if (asked.length === 0) await refundOrder(tx, { orderId, ...REFUNDING })
        return true
      }),
    )
    await until(page, async () => {
      const [refund] = await db.read(accountId, tx => refunds.listByOrder(tx, orderId))
      return refund?.status === 'done' || undefined
    })
  }
  const people = (async () => {
    const first = hiddenOf(await ask(`${PATH}register?q.${typeId}=1`))
    // A form that comes back at once was not filled in by a person.
    await pause(1_100)
    const typed = { 'buyer.name': 'Grace', 'buyer.email': 'grace@example.org' }
    const review = hiddenOf(await ask(`${PATH}register`, changed(first, typed)))
    const person = async () => {
      while (!isStopping) await buy(review)
    }
    await Promise.all(Array.from({ length: buyers }, person))
  })()
  people.catch(() => undefined)
  return {
    orders,
    get refunded() {
      return refunded
    },
    stop: async () => {
      isStopping = true
      await people
      for (const form of forms) {
        assert.equal(await order(form), orders.get(form.get('form.id') as string))
      }
    },
  }
}
