import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { FORM_PREVIEW } from '#machinery/web/forms/form.ts'
import { openDatabase } from '#test/support/engine.ts'
import { readSitePage, type SiteForm } from '#test/support/people/site-forms.ts'
import { startWatched, sweepForms } from '#test/support/people/watched-site.ts'
import { prepareOrders } from '#test/support/visited-orders.ts'
import { postsOf } from '#test/support/visitor-faces.ts'

const limit = { timeout: 600_000 }
const FLAGS = ['--test-payments', '--order-rate', '0']

/** The page that has the form of a route, where it is not that of the order. */
const PAGES: Readonly<Record<string, string>> = {
  names: '/names',
  cancel: '/cancel',
  withdraw: '/withdraw',
  confirm: '/confirm',
  invoice: '/invoice',
}

const valueIn = (values: Readonly<Record<string, string>>, name: string) =>
  values[name] === undefined ? {} : { value: values[name] }

test(
  'the worst body for each link of a real order stops nobody for 50 ms, also where it does what the link is for',
  limit,
  async t => {
    const watched = await startWatched(t, prepareOrders, FLAGS)
    const { data, origin, pools, given, tests, tickets, unsubscribe } = watched
    const linksOf = (path: string): { page: string; to: string }[] => {
      if (path.startsWith('/unsubscribe')) return unsubscribe.map(to => ({ page: to, to }))
      if (path.startsWith('/orders/test')) return tests.map(to => ({ page: to, to }))
      if (path.includes('/give/')) return given.map(({ ofOrder: to }) => ({ page: to, to }))
      if (path.endsWith('/give')) return given.map(({ ofTicket: to }) => ({ page: to, to }))
      if (path.startsWith('/tickets')) {
        return tickets.map(secret => ({ page: `/tickets/${secret}/name`, to: `/tickets/${secret}/name` }))
      }
      const action = path.split('/').at(-1) as keyof typeof pools
      const own = pools[action] ?? assert.fail(`${path} has no orders to be tried with`)
      return own.map(secret => ({
        page: `/orders/${secret}${PAGES[action] ?? ''}`,
        to: `/orders/${secret}/${action}`,
      }))
    }
    const tried = postsOf('orderFaces', 'unsubscribeFace').filter(path => !path.startsWith('/orders/stripe'))
    assert.ok(tried.length > 10)
    const unread: string[] = []
    for (const path of tried) {
      const links = linksOf(path)
      assert.ok(links.length >= 100, path)
      const formOf = async ({ page, to }: (typeof links)[number]): Promise<SiteForm> => {
        const { forms } = await readSitePage(origin, page)
        const form =
          forms.find(({ action }) => action === to) ?? assert.fail(`${path} has no form on its page`)
        // Nobody gets a ticket without a name and an e-mail, so each field has its turn beside another that is good.
        const holder = { name: 'Kim', email: 'kim@example.org' }
        if (path.includes('/give')) {
          const fields = form.fields.map(field => ({ ...field, ...valueIn(holder, field.name) }))
          // The page that asks whether they are the right ones says so.
          const seen = { name: FORM_PREVIEW, value: holder.email, isHidden: true }
          return { ...form, fields: [...fields, seen] }
        }
        // The buttons of the page name the actions.
        const button = { name: 'action', value: 'pay', isHidden: true }
        return to.startsWith('/orders/test/') ? { ...form, fields: [...form.fields, button] } : form
      }
      const first = await formOf(links[0] as (typeof links)[number])
      const forms: [SiteForm, ...SiteForm[]] = [first]
      // The fields of a name are called by its ticket.
      for (const link of links.slice(1))
        forms.push(path.endsWith('/names') ? await formOf(link) : { ...first, action: link.to })
      const isRead = await sweepForms(watched, forms, {})
      if (!isRead) unread.push(path)
    }
    assert.deepEqual(unread, [])
    const db = await openDatabase(data, Date.now)
    const log = await db.read(INSTANCE, tx =>
      tx.all<{ action: string; n: number }>(
        "SELECT action, count(*) AS n FROM access_log WHERE actor LIKE 'order:%' OR actor LIKE 'ticket:%' GROUP BY action",
      ),
    )
    const ended = await db.read(INSTANCE, tx =>
      tx.all<{ state: string }>("SELECT DISTINCT state FROM test_sessions WHERE state <> 'open'"),
    )
    const unsubscribed = await db.read(INSTANCE, tx => tx.all('SELECT email_key FROM unsubscribed'))
    await db.close()
    const done = new Map(log.map(({ action, n }) => [action, n]))
    const ofOrders = ['rename', 'cancel', 'withdraw', 'verify', 'pay', 'resend', 'take', 'turn_down']
    for (const action of [
      ...ofOrders.map(each => `order.${each}`),
      'registration.amend',
      'registration.give_on',
    ])
      assert.ok((done.get(action) ?? 0) > 0, action)
    assert.deepEqual([unsubscribed.length > 0, ended.length > 0], [true, true])
    t.diagnostic([...done].map(each => each.join(' ')).join(', '))
    watched.report()
  },
)
