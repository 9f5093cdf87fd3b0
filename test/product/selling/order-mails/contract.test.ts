import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSDOM } from 'jsdom'
import { DAY, HOUR } from '#base/time.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { queueAgain } from '#product/selling/orders/queue-mails.ts'
import { receiptPdf } from '#product/selling/receipts/pdf.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { startOffering, waiting } from '#test/support/offers.ts'
import { filesOf, openOrderMails, TWO_AND_DINNER, textOf } from '#test/support/order-mails.ts'
import { startTicketMail } from '#test/support/ticket-mail.ts'

/** Gmail shows no more of a letter. */
const MOST_BYTES = 100_000

/** Returns what HTML shows, with each cell and paragraph in one line. */
function shownIn(html: unknown): string {
  const { document } = new JSDOM(String(html)).window
  for (const element of document.querySelectorAll('td, p, br, li')) element.append('\n')
  document.querySelector('head')?.remove()
  return (document.body.textContent ?? '').replace(/[^\S\n]+/g, ' ')
}

test('the confirmation of an order has its lines, taxes, payment, seller, withdrawal and terms, and its receipt; its sums are those of the ledger', async t => {
  const { buy, takeOne, get, ledgerOf, db, accountId } = await openOrderMails(t)
  const id = await buy(TWO_AND_DINNER)
  const mail = await takeOne()
  const order = await get(id)
  const text = textOf(mail)
  assert.equal(mail.parsed.subject, 'Your tickets for Spring Meeting')
  for (const line of [
    /^Wednesday, 23 December 2026, 09:00–18:00 \(Madrid time\)$/m,
    /^Main Hall, Calle Mayor 1, 28001 Madrid$/m,
    /^2 × Standard +€50\.00 +€100\.00$/m,
    /^1 × Dinner +€30\.00 +€30\.00$/m,
    /^Total +€130\.00$/m,
    /^ +tax included: 21\s%\s€17\.36, 10\s%\s€2\.73$/m,
    /^Paid on 21 Nov 2026, test payment, no money +€130\.00$/m,
    /^Attached: Simplified invoice R-000001\.$/m,
    /^Sold by:\nElm Hall Association\nCalle Mayor 1, 28001 Madrid\nTax number: G12345678\ndesk@example\.org\nImprint: https:\/\/elm\.example\/imprint$/m,
    /^Withdrawal:\nYou have no right of withdrawal, .*\(article 16 \(l\) of Directive 2011\/83\/EU\)\.$/m,
    /^Terms that you accepted on 21 Nov 2026:\n\nBring a photo ID\.\n\n- No dogs$/m,
  ])
    assert.match(text, line)
  // Both texts of the letter say the same.
  const shown = shownIn(mail.parsed.html)
  for (const line of ['2 × Standard', '€50.00 each', '€100.00', '€130.00', 'Elm Hall Association', 'No dogs'])
    assert.ok(shown.includes(line), line)
  assert.match(shown, /tax included: 21 % €17\.36, 10 % €2\.73/)

  const [receipt] = await db.read(accountId, tx => receipts.listByOrder(tx, id))
  assert.ok(receipt)
  assert.deepEqual([receipt.taxes.map(({ tax }) => tax), receipt.total], [[1736, 273], order.amount_total])
  const paid = (await ledgerOf(id)).filter(({ kind }) => kind === 'payment')
  assert.deepEqual(
    paid.map(({ amount }) => amount),
    [13_000],
  )
  const files = filesOf(mail)
  assert.deepEqual(files.get('R-000001.pdf'), await receiptPdf(receipt, null))
  assert.deepEqual(
    [...files.keys()].filter(name => name.endsWith('.pdf')),
    [`${order.reference}.pdf`, 'R-000001.pdf'],
  )
})

test('each ticket of a confirmation has its link, and neither text has its code; the order has its own, for the buyer only', async t => {
  const { buy, takeOne, get, loop, db, accountId } = await openOrderMails(t)
  const id = await buy(TWO_AND_DINNER)
  const mail = await takeOne()
  await loop.settled()
  const text = textOf(mail)
  const link = String.raw`https://tickets\.example\.org/tickets/[\w-]{46}`
  for (const ticket of ['Ada Lovelace, Standard', 'Grace Hopper, Standard', 'Ada Lovelace, Dinner'])
    assert.match(text, new RegExp(`^${ticket}: ${link}$`, 'm'))
  const { reference, registrations } = await get(id)
  assert.match(
    text,
    new RegExp(
      `^Your order, for you only:\nOrder ${reference}: https://tickets.example.org/orders/[\\w-]{46}$`,
      'm',
    ),
  )
  const codes = registrations.flatMap(({ attendees }) => attendees.map(({ qr_code }) => qr_code))
  assert.equal(codes.length, 3)
  for (const code of codes) assert.ok(!`${text}${mail.parsed.html}`.includes(code))
  assert.doesNotMatch(`${text}${mail.parsed.html}`, /SVC1\./)
  // What is kept of the mail, for others to read, leads to none of them.
  const kept = await db.read(accountId, tx =>
    tx.one<{ body: string }>('SELECT body FROM emails WHERE account_id = $1 AND body IS NOT NULL', [
      accountId,
    ]),
  )
  assert.match(kept?.body ?? '', /Grace Hopper, Standard: …/)
  assert.doesNotMatch(kept?.body ?? '', /\/(orders|tickets)\/[\w-]{9}/)
})

test('a confirmation in Spanish says all of it in Spanish, also of an event of several days, with withdrawal and cancelling by the buyer', async t => {
  const { buy, takeOne } = await openOrderMails(t, {
    event: { timezone: 'America/New_York', ends_at: '2026-12-24T17:00:00Z' },
    changes: {
      ...{ withdrawal_excluded: false, online_url: 'https://meet.example/room' },
      ...{ cancel_until: Date.parse('2026-12-01T12:00:00Z'), cancel_refund_basis_points: 5000 },
    },
  })
  await buy(TWO_AND_DINNER, { language: 'es' })
  const mail = await takeOne()
  const text = textOf(mail)
  for (const line of [
    /^miércoles, 23 de diciembre de 2026, 03:00 – jueves, 24 de diciembre de 2026, 12:00 \(hora de Nueva York\)$/m,
    /^En línea: https:\/\/meet\.example\/room$/m,
    /^2 × Standard +50,00\s€ +100,00\s€$/m,
    /^ +impuestos incluidos: 21\s%\s17,36\s€; 10\s%\s2,73\s€$/m,
    /^Pagado el 21 nov 2026, pago de prueba, sin dinero +130,00\s€$/m,
    /^Se adjunta: Factura simplificada R-000001\.$/m,
    /^Puedes desistir del contrato hasta el domingo, 6 de diciembre de 2026, 00:00 \(hora de Nueva York\), .* a desk@example\.org\.$/m,
    /^Puedes cancelar hasta el martes, 1 de diciembre de 2026, 07:00 \(hora de Nueva York\), .*el 50\s% del precio\.$/m,
    /^Condiciones que aceptaste el 21 nov 2026:$/m,
  ])
    assert.match(text, line)
  const below = text.slice(text.indexOf('miércoles'))
  assert.doesNotMatch(below, /America\/|Total paid|Paid|Sold by|undefined|null/)
})

test('terms to 20,000 characters are in the letter, which stays below what mail programs show; longer ones are a file', async t => {
  const { buy, takeOne, db, accountId } = await openOrderMails(t, {
    changes: { terms: null },
    account: { invoice_from: null, terms_text: `${'Bring it. '.repeat(2000).slice(0, 19_990)}The end.` },
  })
  const many = Array.from({ length: 10 }, (_, at) => [`Ada Lovelace the ${at}th`] as const)
  const setTerms = (terms: string) =>
    db.write(accountId, tx => tx.run('UPDATE accounts SET terms_text = $2 WHERE id = $1', [accountId, terms]))
  await buy({ Standard: many, Dinner: many })
  const inside = await takeOne()
  assert.match(textOf(inside), /Bring it\. The end\.$|The end\./m)
  assert.ok(!filesOf(inside).has('terms.txt'))
  const bytesOf = ({ parsed }: typeof inside) =>
    Buffer.byteLength(String(parsed.html)) + Buffer.byteLength(parsed.text ?? '')
  assert.ok(bytesOf(inside) < MOST_BYTES, `${bytesOf(inside)}`)
  const pdfs = inside.parsed.attachments.filter(({ contentType }) => contentType === 'application/pdf')
  const ofPdfs = pdfs.reduce((sum, { content }) => sum + Math.ceil((content.length * 4) / 3 / 76) * 78, 0)
  assert.ok(inside.raw.length - ofPdfs < MOST_BYTES, `${inside.raw.length - ofPdfs}`)

  // The first is longer than that, and the others need more bytes than a letter has.
  for (const terms of ['x'.repeat(20_001), 'Ж'.repeat(20_000), '<'.repeat(19_000)]) {
    await setTerms(terms)
    await buy(TWO_AND_DINNER)
    const mail = await takeOne()
    assert.match(
      textOf(mail),
      /^Terms that you accepted on 21 Nov 2026:\nThey are attached as they were then: terms\.txt\.$/m,
    )
    assert.equal(filesOf(mail).get('terms.txt')?.toString(), terms)
    assert.ok(bytesOf(mail) < 20_000)
  }
})

test('sent again, a confirmation has the prices and terms of then; terms that are only a link are the link', async t => {
  const { buy, takeOne, get, db, accountId, eventId, clock } = await openOrderMails(t, {
    changes: { terms: null },
    account: { terms_url: 'https://elm.example/terms?v=1' },
  })
  const id = await buy(TWO_AND_DINNER)
  await takeOne()
  clock.advance(DAY)
  const order = await get(id)
  await db.write(accountId, async tx => {
    await tx.run("UPDATE accounts SET terms_url = 'https://elm.example/other' WHERE id = $1", [accountId])
    await tx.run('UPDATE registration_types SET price = 9900, tax_basis_points = 0 WHERE event_id = $1', [
      eventId,
    ])
    await queueAgain(tx, order)
  })
  const mail = await takeOne()
  const text = textOf(mail)
  assert.match(text, /^Terms that you accepted on 21 Nov 2026:\nhttps:\/\/elm\.example\/terms\?v=1$/m)
  assert.match(String(mail.parsed.html), /<a href="https:\/\/elm\.example\/terms\?v=1">/)
  assert.match(text, /^2 × Standard +€50\.00 +€100\.00$/m)
  assert.match(text, /tax included: 21\s%\s€17\.36, 10\s%\s€2\.73/)
  assert.doesNotMatch(text, /99\.00|other/)
  assert.deepEqual(
    [...filesOf(mail).keys()].filter(name => name.endsWith('.txt')),
    [],
  )
})

test('who takes what was offered from the waitlist has accepted the terms on that day', async t => {
  const changes = { waitlist: [waiting('Wes')], terms: 'Be kind.' }
  const { db, clock, sell, cancel, take } = await startOffering(t, changes)
  await cancel(await sell(2))
  clock.advance(18 * HOUR)
  const agreement = agreementHash({ total: 0, event: { currency: 'EUR', terms: 'Be kind.' } })
  await take('Wes', { agreement })
  const mails = await (await startTicketMail(t, db, clock)).take()
  const confirmed = mails.find(({ parsed }) => parsed.subject === 'Your tickets for Spring Meeting')
  assert.ok(confirmed)
  assert.match(textOf(confirmed), /^Terms that you accepted on 22 Nov 2026:\n\nBe kind\.$/m)
})

test('a receipt that names nobody any more, or was taken back as a whole, is not sent again', async t => {
  const { buy, take, takeOne, get, refund, reconciler, db, accountId, clock } = await openOrderMails(t)
  const ids = { erased: '', whole: '', part: '' }
  for (const name of ['erased', 'whole', 'part'] as const) ids[name] = await buy(TWO_AND_DINNER)
  await take()
  await db.write(accountId, tx =>
    tx.run('UPDATE receipts SET erased_at = 1 WHERE account_id = $1 AND order_id = $2', [
      accountId,
      ids.erased,
    ]),
  )
  await refund(ids.whole, 13_000)
  await refund(ids.part, 3000)
  await reconciler.settle()
  const files: Record<string, string[]> = {}
  for (const [name, id] of Object.entries(ids)) {
    clock.advance(1)
    const order = await get(id)
    await db.write(accountId, tx => queueAgain(tx, order))
    const mail = await takeOne()
    files[name] = [...filesOf(mail).keys()].filter(file => file.startsWith('R-') || file.startsWith('C-'))
    assert.equal(/Attached/.test(textOf(mail)), name === 'part')
  }
  assert.deepEqual(files, { erased: [], whole: [], part: ['R-000003.pdf'] })
})

test('what people wrote is shown as they wrote it, and neither HTML nor a line of their own', async t => {
  const { place, reconciler, pay, takeOne, db, accountId, eventId } = await openOrderMails(t, {
    event: { title: '<b>Party</b> <script>alert(1)</script>', venue: 'Hall <img src=x>' },
    changes: {
      address: 'Calle Mayor 1\nTotal €0.00\n28001 Madrid',
      terms: '<script>alert(2)</script>\n\n[click](javascript:alert(3)) ![p](https://evil.example/p.png)',
    },
    account: { legal_name: '<u>Elm</u>', address: '<s>Street</s>\nPaid' },
  })
  const id = await place(TWO_AND_DINNER, {
    method: 'test',
    buyer: { name: '<i>Ada</i>', email: 'ada@example.org' },
  })
  await db.write(accountId, async tx => {
    await tx.run("UPDATE registration_types SET name = $2 WHERE event_id = $1 AND name = 'Dinner'", [
      eventId,
      'Dinner\r\nTotal  €1.00\n<a href="https://evil.example">free</a>',
    ])
    await tx.run("UPDATE attendees SET name = $1 WHERE name = 'Grace Hopper'", [
      'Grace\u2028Sold by:\nNobody <a href="https://evil.example">x</a>',
    ])
  })
  await reconciler.settle()
  await pay(id)
  const mail = await takeOne()
  const { document } = new JSDOM(String(mail.parsed.html)).window
  assert.deepEqual([...document.querySelectorAll('script, body i, body b, body u, body s')].map(String), [])
  // The parser puts the pictures of a letter into its HTML.
  const sources = [...document.querySelectorAll('img')].map(({ src }) => src)
  assert.ok(
    sources.length > 0 && sources.every(src => src.startsWith('data:image/png;base64,')),
    sources.join(),
  )
  const links = [...document.querySelectorAll('a')].map(({ href }) => new URL(href))
  assert.deepEqual([...new Set(links.map(({ protocol, host }) => `${protocol}${host}`))].sort(), [
    'https:elm.example',
    'https:tickets.example.org',
    'mailto:',
  ])
  const text = textOf(mail)
  assert.deepEqual(
    text.match(/^(Total|Sold by|Paid|Nobody).*$/gm)?.map(line => line.replace(/ {2,}/g, ' ')),
    ['Total €130.00', 'Paid on 21 Nov 2026, test payment, no money €130.00', 'Sold by:'],
  )
  assert.match(
    text,
    /^1 × Dinner Total €1\.00 <a href="https:\/\/evil\.example">free<\/a> +€30\.00 +€30\.00$/m,
  )
  assert.match(text, /^Grace Sold by: Nobody .*, Standard: https:\/\/tickets\.example\.org/m)
})

test('an order that costs nothing has its lines, its contract and no money; a holder has their ticket alone', async t => {
  const { free, take } = await openOrderMails(t)
  await free({ Free: [['Ada Lovelace'], ['Bob', 'bob@example.org']] })
  const mails = await take()
  assert.deepEqual(
    mails.map(({ to }) => to[0]),
    ['ada@example.org', 'bob@example.org'],
  )
  const [buyer, holder] = mails.map(mail => `${textOf(mail)}${mail.parsed.html}`) as [string, string]
  const [text] = mails.map(textOf) as [string]
  assert.match(text, /^2 × Free$/m)
  assert.match(text, /^Wednesday, 23 December 2026, 09:00–18:00 \(Madrid time\)$/m)
  assert.match(text, /^Sold by:\nElm Hall Association$/m)
  assert.match(text, /^Terms that you accepted on 21 Nov 2026:$/m)
  assert.doesNotMatch(buyer, /[€]|Total|Paid|tax included|Attached/)
  assert.doesNotMatch(holder, /[€]|Total|Paid|tax included|Sold by|Terms that|Withdrawal|\/orders\//)
})

test('a holder of a ticket that was paid reads nothing of money, of others or of the order', async t => {
  const { buy, take } = await openOrderMails(t)
  await buy({ Standard: [['Ada Lovelace'], ['Bob', 'bob@example.org']], Dinner: [['Ada Lovelace']] })
  const holder = (await take()).find(({ to }) => to[0] === 'bob@example.org')
  assert.ok(holder)
  const all = `${textOf(holder)}${holder.parsed.html}`
  assert.match(textOf(holder), /^Bob, Standard$/m)
  assert.match(textOf(holder), /^Show the ticket:\nhttps:\/\/tickets\.example\.org\/tickets\/[\w-]{46}$/m)
  assert.doesNotMatch(all, /€|50\.00|130|Dinner|Total|Paid|tax included|Sold by|\/orders\/|SVC1\./)
  assert.deepEqual(
    [...filesOf(holder).keys()].filter(name => name.startsWith('R-')),
    [],
  )
})

test('the text of the organizer stands first and unchanged, with its placeholders; all else is below it', async t => {
  const own = { subject: 'In, {name}!', body: '**Welcome** to {event}, {when}, {place}: {reference}' }
  const { buy, takeOne, get } = await openOrderMails(t, {
    event: { email_texts: { order_confirmed: { en: own } } },
  })
  const id = await buy(TWO_AND_DINNER)
  const mail = await takeOne()
  const { reference } = await get(id)
  assert.equal(mail.parsed.subject, 'In, Ada Lovelace!')
  const [first] = textOf(mail).split('\n\n')
  assert.equal(
    first,
    `Welcome to Spring Meeting, 23 Dec 2026, 09:00 (Europe/Madrid), Main Hall, Madrid: ${reference}`,
  )
  assert.match(textOf(mail), /^Total +€130\.00$/m)
})

for (const [currency, price, shown] of [
  ['JPY', 5000, 'JP¥5,000'],
  ['KWD', 12_345, 'KWD\u00a012.345'],
  ['USD', 1050, 'US$10.50'],
] as const)
  test(`amounts of ${currency} have the digits of the currency`, async t => {
    const { buy, takeOne } = await openOrderMails(t, {
      event: { currency, registration_types: [{ name: 'One', price, capacity: 5 }] },
    })
    await buy({ One: [['Ada Lovelace']] })
    const text = textOf(await takeOne())
    const rows = text.match(/^(?:1 × One|Total|Paid on).*$/gm) ?? []
    assert.equal(rows.length, 3)
    for (const row of rows) assert.ok(row.endsWith(`  ${shown}`), row)
  })
