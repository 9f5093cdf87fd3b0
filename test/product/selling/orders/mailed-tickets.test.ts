import assert from 'node:assert/strict'
import { test } from 'node:test'
import ical from 'ical.js'
import { mailKinds } from '#app/mail-kinds.ts'
import { openLog } from '#base/log.ts'
import { MailLoop } from '#machinery/mail/loop.ts'
import { Smtp } from '#machinery/mail/smtp.ts'
import { readSender, readSmtpUrl } from '#machinery/mail/smtp-settings.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { place } from '#product/selling/orders/place.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { verify } from '#product/selling/orders/verification.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { startOffering, waiting } from '#test/support/offers.ts'
import { organization } from '#test/support/organization.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'
import { startWithOrganization } from '#test/support/server.ts'

test('a confirmed order is mailed with its codes as pictures, as PDF and for a calendar; a holder gets their own alone', async t => {
  const server = await startWithOrganization(t, organization({ event: { title: 'Día <b>ñ</b> {link}' } }))
  const { db, applied, clock, eventId, types } = server
  const mailServer = await startMailServer(t)
  const accountId = applied.account_id
  const order = await db.write(accountId, tx =>
    place(tx, eventId, {
      formId: 'form',
      buyer: { name: '[Grace](javascript:alert(1)) <i>', email: 'grace@example.org' },
      language: 'es',
      answers: {},
      agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
      lines: [
        {
          typeId: types.Free as string,
          tickets: [
            { name: 'Grace', email: null },
            { name: 'Bob', email: 'bob@example.org' },
          ],
        },
      ],
    }),
  )
  await db.write(accountId, tx => verify(tx, order.id, 'buyer'))
  const smtp = new Smtp(readSmtpUrl(mailServer.url), readSender('tickets@example.org'))
  const log = openLog('silent', { write: () => undefined })
  const web = { baseUrl: 'https://tickets.example.org', secret: 's' }
  const loop = new MailLoop({ db, clock, log, smtp, kinds: mailKinds, server: web, rate: 100 })
  loop.start()
  t.after(() => loop.stop())
  const { received } = mailServer
  await loop.settled()
  assert.equal(received.length, 2)
  const of = (email: string) => {
    const found = received.find(({ to }) => to[0] === email)
    assert.ok(found !== undefined)
    return found.parsed
  }
  const details = await db.read(accountId, tx => orders.getDetails(tx, order.id))
  const codes = details.registrations[0]?.attendees.map(({ qr_code }) => qr_code) as [string, string]

  const buyer = of('grace@example.org')
  assert.match(buyer.subject ?? '', /^Tus entradas para Día <b>ñ<\/b> \{link\}$/)
  assert.doesNotMatch(String(buyer.html), /<i>|href="javascript/)
  assert.match(buyer.text ?? '', /https:\/\/tickets\.example\.org\/orders\/[\w-]{46}/)
  const pictures = buyer.attachments.filter(({ contentType }) => contentType === 'image/png')
  assert.deepEqual(pictures.map(read), codes)
  const pdf = buyer.attachments.find(({ contentType }) => contentType === 'application/pdf')
  assert.match(pdf?.filename ?? '', new RegExp(`^${order.reference}\\.pdf$`))
  assert.equal(pdf?.content.subarray(0, 5).toString(), '%PDF-')
  const calendar = buyer.attachments.find(({ contentType }) => contentType === 'text/calendar')
  const [, , [component]] = ical.parse(calendar?.content.toString() ?? '') as never as [
    string,
    never,
    [[string]],
  ]
  assert.equal(component[0], 'vevent')

  const holder = of('bob@example.org')
  const own = holder.attachments.filter(({ contentType }) => contentType === 'image/png')
  assert.deepEqual(own.map(read), [codes[1]])
  assert.match(holder.text ?? '', /https:\/\/tickets\.example\.org\/tickets\/[\w-]{46}/)
  assert.doesNotMatch(`${holder.text} ${holder.html}`, new RegExp(`/orders/|${codes[0]}`))
})

test('an offer is mailed with what is held, until when and its link, in the words of the organizer; one that is over is not', async t => {
  const server = await startOffering(t, {
    waitlist: [waiting('Wes'), waiting('Xia')],
    email_texts: { place_offered: { en: { subject: 'Quick, {name}', body: 'Until {until}: {link}' } } },
  })
  const { db, clock, sell, cancel, accountId, turnDown } = server
  const mailServer = await startMailServer(t)
  await db.write(accountId, tx => tx.run("UPDATE waitlist_entries SET language = 'es' WHERE name = 'Xia'"))
  const [one, two] = [await sell(), await sell()]
  await cancel(one)
  await turnDown('Wes')
  await cancel(two)
  const smtp = new Smtp(readSmtpUrl(mailServer.url), readSender('tickets@example.org'))
  const log = openLog('silent', { write: () => undefined })
  const web = { baseUrl: 'https://tickets.example.org', secret: 's' }
  const loop = new MailLoop({ db, clock, log, smtp, kinds: mailKinds, server: web, rate: 100 })
  const { received } = mailServer
  loop.start()
  t.after(() => loop.stop())
  await loop.settled()
  assert.equal(received.length, 1)
  const [mail] = received
  assert.deepEqual(mail?.to, ['Xia@example.org'])
  const { subject, text } = mail?.parsed ?? {}
  assert.equal(subject, 'Es tu turno: hay sitio en Spring Meeting')
  assert.match(text ?? '', /reservado para ti hasta el 22 nov 2026, 13:00 \(Europe\/Madrid\)/)
  assert.match(text ?? '', /Aceptar o rechazar:\nhttps:\/\/tickets\.example\.org\/orders\/[\w-]{46}/)
  assert.equal(mail?.parsed.attachments.length, 0)
  const again = await sell()
  await db.write(accountId, tx => tx.run("UPDATE waitlist_entries SET notified_at = NULL WHERE name = 'Wes'"))
  await cancel(again)
  await loop.settled()
  assert.equal(received.length, 2)
  assert.deepEqual([received[1]?.to, received[1]?.parsed.subject], [['Wes@example.org'], 'Quick, Wes'])
  assert.match(received[1]?.parsed.text ?? '', /^Until .*2026.*: https:\/\/tickets\.example\.org\/orders\//)
})

function read({ content }: { content: Buffer }): string | undefined {
  return readCode(readPng(content))
}
