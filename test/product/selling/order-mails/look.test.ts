import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentOf } from '#machinery/web/accent.ts'
import { makeLogo } from '#product/catalog/looks/make-logo.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { filesOf, openOrderMails } from '#test/support/order-mails.ts'
import { photo, pngOf } from '#test/support/picture-files.ts'

const IMAGE = '/Subtype /Image'

test('a mail has the organizer’s logo inside it and their colour on its button, and its PDF has both', async t => {
  const { buy, takeOne, db, accountId } = await openOrderMails(t)
  const wanted = { Standard: [['Ada Lovelace']] } as const
  await buy(wanted as never)
  const plain = await takeOne()
  const htmlOf = (mail: typeof plain) => String(mail.parsed.html)
  assert.match(htmlOf(plain), /background:#2647c8/)
  assert.ok(![...filesOf(plain).keys()].includes('logo.png'))
  const pdfOf = (mail: typeof plain) =>
    [...filesOf(mail)].find(([name]) => /^[\w-]+\.pdf$/.test(name) && !name.startsWith('R-'))?.[1] as Buffer
  assert.ok(!pdfOf(plain).includes(IMAGE))
  const receiptOf = (mail: typeof plain) =>
    [...filesOf(mail)].find(([name]) => name.startsWith('R-'))?.[1] as Buffer
  assert.ok(!receiptOf(plain).includes(IMAGE))

  const logo = await makeLogo(pngOf(photo(80, 20)))
  await db.write(accountId, async tx => {
    await looks.setColour(tx, null, '#ffcc00')
    await looks.setLogo(tx, null, logo)
  })
  await buy(wanted as never)
  const mail = await takeOne()
  const { light, dark } = accentOf('#ffcc00')
  assert.ok(htmlOf(mail).includes(`background:${light.accent}`))
  assert.ok(htmlOf(mail).includes(dark.accent), 'in the dark too')
  assert.doesNotMatch(htmlOf(mail), /#2647c8|#9db4ff/)
  assert.deepEqual(filesOf(mail).get('logo.png'), Buffer.from(logo.content, 'base64'))
  const inside = mail.parsed.attachments.find(({ filename }) => filename === 'logo.png')
  assert.equal(inside?.contentDisposition, 'inline')
  assert.equal(inside?.contentType, 'image/png')
  assert.ok(pdfOf(mail).includes(IMAGE))
  assert.ok(receiptOf(mail).includes(IMAGE))
})
