import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { walkByTab } from '#test/support/keyboard.ts'
import { KeyboardWalk, keyboardOf } from '#test/support/keyboard-walk.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names } from '#test/support/people/sale.ts'
import { startWithStrangers } from '#test/support/people/strangers.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'

after(closeBrowser)

const BOUND = { timeout: 240_000 }
const [UNBROKEN, RIGHT_TO_LEFT] = names
const longMail = (start: string) => `${start}${'long'.repeat(14)}@${'a'.repeat(60)}.example`
const BUYER = longMail('grace')
const OTHERS = [longMail('one'), longMail('two'), 'bob@example.org']

/** Starts a server on which a long order of many waits for its buyer, and on which more of each state can be placed. */
async function startWaiting(t: Parameters<typeof startWithStrangers>[0]) {
  const server = await startWithStrangers(t, { title: UNBROKEN })
  const { buy, settled, db, accountId, eventId, client, newestId } = server
  const change = async (changes: EventChanges): Promise<void> => {
    await db.write(accountId, tx => events.update(tx, eventId, changes))
    // The server sees it at once.
    await client.post('/check-ins', { attendee_id: UNKNOWN_ID })
  }
  const placed = async (...of: Parameters<typeof buy>) => {
    const path = await buy(...of)
    return { path, id: await newestId() }
  }
  const waiting = await placed(BUYER, OTHERS, undefined, RIGHT_TO_LEFT)
  await settled()
  return { ...server, placed, change, waiting }
}

const SPOKEN = ['en', 'es'] as const

test(
  'what a buyer is told of the mails that wait, and the page that sends them, have no barrier and nothing out of the window',
  BOUND,
  async t => {
    const { app, waiting, placed, flood, change, confirmPath, received } = await startWaiting(t)
    const link = confirmPath(BUYER) as string
    const { page, messages } = await openPage(t, app.siteUrl)
    const wrong: string[] = []
    const lookHere = async (name: string, says: RegExp) => {
      assert.match(await page.locator('main').innerText(), says)
      wrong.push(...(await faultsOf(page, name)))
    }
    const look = async (name: string, to: string, says: Record<'en' | 'es', RegExp>) => {
      for (const language of SPOKEN) {
        await page.goto(`${app.siteUrl}${to}${to.includes('?') ? '&' : '?'}lang=${language}`)
        await lookHere(`${name} ${language}`, says[language])
      }
    }
    const buttons = () => page.locator('.narrow form[action*=resend] button').allInnerTexts()
    await look('order', waiting.path, { en: /3 other people wait/, es: /Otras 3 personas esperan/ })
    assert.deepEqual(await buttons(), ['Enviar ese correo otra vez'], 'one button for one mail')
    wrong.push(...(await walkByTab(page, '.top a')))
    await look('confirm', link, { en: /Send the other tickets\?/, es: /¿Enviar las demás entradas\?/ })
    wrong.push(...(await walkByTab(page, '.top a')))
    for (const notice of ['confirmed', 'confirmedLater', 'resentLater'])
      await look(notice, `${waiting.path}?said=${notice}`, {
        en: /on their way|day\./,
        es: /camino|un día\./,
      })

    await flood('others', 10)
    const later = await placed('ada@example.org', ['cy@example.org'])
    await look('later', later.path, { en: /goes out later, at about/, es: /sale más tarde, hacia el/ })
    assert.deepEqual(await buttons(), [])
    await flood('others')
    const none = await placed('eve@example.org', [OTHERS[0] as string])
    await look('none', none.path, {
      en: /keep its address, or have the mail sent later\.[\s\S]*Send that mail\n/,
      es: /guarda su dirección o pide el correo más tarde\.[\s\S]*Enviar ese correo\n/,
    })
    assert.equal(await page.getByText('también van por correo').count(), 0)

    await flood('confirmed')
    for (const [language, button, says] of [
      ['en', 'Send their tickets', /nothing was sent\. Open this page again/],
      ['es', 'Enviar sus entradas', /no se ha enviado nada\. Abre esta página otra vez/],
    ] as const) {
      await page.goto(`${app.siteUrl}${link}?lang=${language}`)
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('alert').waitFor()
      await lookHere(`refused ${language}`, says)
    }

    await flood('buyers')
    await change({ requires_approval: true })
    const unapproved = await placed('kim@example.org', [OTHERS[0] as string])
    await look('unapproved', unapproved.path, {
      en: /sent you no mail[^\n]*keep its address\.\n/,
      es: /no te hemos enviado[^\n]*guarda su dirección\.\n/,
    })
    assert.deepEqual(await buttons(), [])

    const letter = await openPage(t, 'about:blank')
    const [mail] = received.filter(({ to }) => to.includes(BUYER))
    await letter.page.setContent(String(mail?.parsed.html))
    for (const width of [390, 1280]) {
      await letter.page.setViewportSize({ width, height: 900 })
      const scrolls = await letter.page.evaluate('document.documentElement.scrollWidth')
      if (scrolls !== width) wrong.push(`letter: scrolls to ${scrolls}`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await letter.page.emulateMedia({ colorScheme })
        const { faint } = (await letter.page.evaluate('measureContrast()')) as { faint: string[] }
        wrong.push(...faint.map(fault => `letter: ${fault}`))
      }
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(
      messages.filter(message => !/status of 4/.test(message)),
      [],
    )
  },
)

test('a buyer with a keyboard alone sends the other tickets, and is told that it is done', BOUND, async t => {
  const { app, confirmPath, settled, to } = await startWaiting(t)
  const { page } = await openPage(t, app.siteUrl)
  const walk = new KeyboardWalk(keyboardOf(page))
  const link = `${app.siteUrl}${confirmPath(BUYER)}`
  await walk.open(link, 'Send the other tickets?')
  await walk.press('To the order', '3 other people wait')
  await walk.open(link, 'Send the other tickets?')
  await walk.press('Send their tickets', 'Their tickets are on their way')
  await settled()
  for (const other of OTHERS) assert.equal(to(other).length, 1, other)
  const wrong: string[] = []
  for (const [language, says] of [
    ['en', 'There is nothing to confirm any more.'],
    ['es', 'Ya no hay nada que confirmar.'],
  ] as const) {
    await walk.open(`${link}?lang=${language}`, says)
    assert.equal(await page.getByRole('button').count(), 0)
    wrong.push(...(await faultsOf(page, language)))
  }
  await walk.press('Volver al pedido', 'Guest')
  assert.deepEqual(wrong, [])
})

test(
  'an order in the dashboard says in every window who waits for a mail and why, to each what they may do, and its button works by keyboard',
  BOUND,
  async t => {
    const { app, waiting, placed, change, flood, member, eventId, settled, to } = await startWaiting(t)
    await flood('others', 10)
    const later = await placed(longMail('ada'), [OTHERS[0] as string])
    await flood('others')
    const none = await placed('a#b@example.org', [OTHERS[0] as string])
    const { page } = await openPage(t, app.siteUrl)
    const at = (id: string) => `${app.siteUrl}/manage/e/${eventId}/orders/${id}`
    const titles = { en: 'Not mailed yet', es: 'Sin correo todavía' }
    const wrong: string[] = []
    for (const [role, language] of [
      ['finance', 'en'],
      ['manager', 'es'],
      ['owner', 'en'],
    ] as const) {
      const { cookies } = await member(role, { language })
      const session = cookies.get('session') as string
      await page.context().addCookies([{ name: 'session', value: session, url: app.siteUrl }])
      for (const [name, { id }] of Object.entries({ waiting, later, none })) {
        await page.goto(at(id))
        await page.getByRole('heading', { name: titles[language] }).waitFor()
        const card = page.locator('[aria-labelledby=untold]')
        const text = await card.innerText()
        const isEditor = role !== 'finance'
        assert.equal(await card.getByRole('button').count(), isEditor ? 1 : 0)
        const tellsOfButton = /“Send the tickets again” sends|«Enviar las entradas otra vez» lo/.test(text)
        assert.equal(tellsOfButton, isEditor && name !== 'waiting', `${name} ${role}`)
        if (name === 'none') assert.match(text, /a#b@example\.org/)
        wrong.push(...(await faultsOf(page, `${name} ${role}`)))
      }
      wrong.push(...(await walkByTab(page, '#content')))
    }
    await flood('buyers')
    await change({ requires_approval: true })
    const unapproved = await placed(longMail('kim'), OTHERS)
    await page.goto(at(unapproved.id))
    assert.match(
      await page.locator('[aria-labelledby=untold]').innerText(),
      /so nothing is sent to kim[^\n]* by itself\.$/,
    )
    wrong.push(...(await faultsOf(page, 'unapproved')))
    assert.deepEqual(wrong, [])

    const walk = new KeyboardWalk(keyboardOf(page))
    await walk.open(at(waiting.id), titles.en)
    await walk.press('Send the tickets to these people now', 'The tickets are on their way to the others.')
    await settled()
    for (const other of OTHERS) assert.equal(to(other).length, 1, other)
  },
)
