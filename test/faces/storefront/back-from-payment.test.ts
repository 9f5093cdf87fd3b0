import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as accounts from '#product/administration/accounts/rules.ts'
import { connectStripe } from '#product/selling/payments/connections.ts'
import { startSale } from '#test/support/people/order-forms.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'
import { ACCOUNT, KEY } from '#test/support/stripe/stripe-connection.ts'

const SITE = 'https://www.ada.example'
const HOME = `${SITE}/shows?page=2&q=caf%C3%A9`
const EVENT = { registration_types: [{ name: 'Guest', price: 5000, capacity: 50 }] }

const backOf = (text: string) => parsePage(text).querySelector('.top a.back')?.getAttribute('href') ?? null

/** Starts a sale by Stripe and the sandbox's processor, of an organizer who has named a site. */
async function start(t: TestContext) {
  const standIn = await StripeStandIn.start()
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: ACCOUNT })
  const settings = { testPayments: true, stripeApi: standIn.origin }
  const sale = await startSale(t, EVENT, { settings })
  const { db, accountId, clock, app, review, forms } = sale
  await db.write(accountId, async tx => {
    await accounts.update(tx, { embed_origins: [SITE] })
    await connectStripe(tx, { secretKey: KEY, isLive: false, account: ACCOUNT, name: null, at: clock() })
  })
  /** Orders as somebody who came from a page. @returns where the order leads, and where the payment leads back to */
  const order = async (back: string, pay: 'stripe' | 'test') => {
    const form = await review()
    form.set('pay', pay)
    const query = new URLSearchParams({ back })
    const { location = '' } = await forms.post(`/ada/spring-meeting/register/order?${query}`, form)
    await app.settled('payments')
    const [session] = (await standIn.books(ACCOUNT)).sessions.slice(-1)
    return { location, success: session?.success_url ?? '', cancel: session?.cancel_url ?? '' }
  }
  /** Opens an address of the server as a browser does that is led there. */
  const open = (address: string) => {
    const { pathname, search } = new URL(address)
    return forms.get(pathname + search)
  }
  return { ...sale, standIn, order, open }
}

test('whoever pays by card comes back from Stripe to an order that leads back to the page of the organizer’s own site', async t => {
  const { order, open, standIn, app } = await start(t)
  const { location, success, cancel } = await order(HOME, 'stripe')
  assert.match(location, /^\/orders\/[\w-]+\?go&back=/)
  for (const address of [success, cancel]) {
    assert.equal(new URL(address).searchParams.get('back'), HOME)
    assert.equal(backOf((await open(address)).text), HOME)
  }
  const [session] = (await standIn.books(ACCOUNT)).sessions
  await standIn.pay(session?.id as string)
  await app.settled('payments', 'stripe')
  assert.equal(backOf((await open(success)).text), HOME)
})

test('an address of a foreign site is no way back, neither for Stripe nor in the address that somebody else makes', async t => {
  const { order, open, db, accountId } = await start(t)
  for (const foreign of ['https://evil.example/', 'javascript:alert(1)', `${SITE}.evil.example/`]) {
    const { location, success } = await order(foreign, 'stripe')
    assert.ok(!location.includes('back='), location)
    assert.equal(new URL(success).search, '')
    const { text } = await open(`${success}?${new URLSearchParams({ back: foreign })}`)
    assert.equal(backOf(text), null)
    assert.doesNotMatch(text, /evil\.example|javascript:/)
  }
  // A site that was named then, and is not any more, is a foreign one.
  const { success } = await order(HOME, 'stripe')
  await db.write(accountId, tx => accounts.update(tx, { embed_origins: [] }))
  assert.equal(backOf((await open(success)).text), null)
})

test('the payment of the sandbox leads back too; a long address is cut to its site, and none is kept once it has ended', async t => {
  const { order, open, forms, standIn, app, db, accountId } = await start(t)
  const long = `${SITE}/${'x'.repeat(1_500)}`
  assert.equal(new URL((await order(long, 'stripe')).success).searchParams.get('back'), `${SITE}/`)
  const { location } = await order(HOME, 'test')
  const page = await open(`https://x.example${location}`)
  const pay = /url=([^"]+)"/.exec(page.text)?.[1] ?? ''
  const path = new URL(pay).pathname
  const action = await forms.post(path, new URLSearchParams({ action: 'pay' }))
  assert.equal(new URL(`https://x.example${action.location}`).searchParams.get('back'), HOME)
  await app.settled('payments')
  const [session] = (await standIn.books(ACCOUNT)).sessions
  await standIn.pay(session?.id as string)
  await app.settled('payments', 'stripe')
  const kept = await db.read(accountId, tx =>
    tx.all<{ back: string | null }>('SELECT back FROM payments WHERE ended_at IS NOT NULL'),
  )
  assert.ok(kept.length > 0 && kept.every(({ back }) => back === null), JSON.stringify(kept))
})
