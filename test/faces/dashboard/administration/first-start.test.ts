import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as links from '#product/administration/users/links.ts'
import * as users from '#product/administration/users/rules.ts'
import { organization } from '#test/support/organization.ts'
import { PASSWORD } from '#test/support/people/dashboard.ts'
import { PageReader } from '#test/support/people/page-reader.ts'
import { startServer } from '#test/support/server.ts'

async function startEmpty(t: TestContext) {
  const server = await startServer(t)
  const visitor = (language?: string) => {
    const reader = new PageReader(server.app.siteUrl, language)
    t.after(() => reader.close())
    return reader
  }
  const openSetup = async (language?: string, headers?: Record<string, string>) => {
    const { token } = await server.db.write(INSTANCE, tx => links.makeSetup(tx))
    return visitor(language).open(`/manage/setup/${token}`, headers)
  }
  return { ...server, visitor, openSetup }
}

const ADA = {
  'Time zone': 'Madrid',
  ...{ Organization: 'Ada Events', 'Your name': 'Ada', 'E-mail': 'ada@example.org' },
  Password: PASSWORD,
}

test('until somebody has used the set-up link, every way into the dashboard says where the link is', async t => {
  const { app, visitor, openSetup } = await startEmpty(t)
  const entrance = await fetch(`${app.siteUrl}/`)
  assert.equal(new URL(entrance.url).pathname, '/manage/sign-in')
  for (const path of ['/manage', '/manage/sign-in', '/manage/profile']) {
    const page = await visitor().open(path)
    assert.equal(page.heading, 'Nothing is set up here yet', path)
    assert.match(page.text, /Open the link that the terminal printed; start again for another\./)
    assert.doesNotMatch(page.html, /Sign in|type="password"/, path)
  }
  const spanish = await visitor('es').open('/manage')
  assert.equal(spanish.heading, 'Aquí todavía no hay nada configurado')
  const setup = await openSetup()
  assert.equal(
    (await visitor().open('/manage')).heading,
    'Nothing is set up here yet',
    'a link that nobody has used',
  )
  assert.equal((await setup.fill(ADA).press('Create')).heading, 'New event')
  assert.equal((await visitor().open('/manage')).heading, 'Sign in')
})

test('where the terminal has made an organization without anybody, the page says who invites the first person', async t => {
  const { visitor, apply } = await startEmpty(t)
  await apply(organization())
  const page = await visitor().open('/manage')
  assert.equal(page.heading, 'Nobody can sign in here yet')
  assert.match(page.text, /turnout user invite/)
  assert.doesNotMatch(page.html, /type="password"|terminal printed/)
})

test('the set-up form tells all of its errors at once, and keeps what was typed but the password', async t => {
  const { openSetup } = await startEmpty(t)
  const form = await openSetup()
  const wrong = await form
    .fill({ Organization: '', 'Time zone': 'Nowhere', Currency: 'XXQ', 'Your name': '', 'E-mail': 'ada' })
    .fill({ Password: 'short' })
    .press('Create')
  assert.equal(wrong.status, 422)
  assert.equal(wrong.document.querySelectorAll('.banner.bad li').length, 6)
  const guessed = await form
    .fill({ ...ADA, Organization: '', Currency: 'EUR', Password: 'ada@example.org' })
    .press('Create')
  assert.deepEqual(
    [...guessed.document.querySelectorAll('.banner.bad li')].map(li => li.textContent?.split(':')[0]),
    ['Organization', 'Password'],
  )
  assert.equal(guessed.field('Time zone').value, 'Madrid')
  assert.equal(guessed.field('Password').value, '')
})

test('a city finds its time zone without a script, and a part of a name lists those that have it', async t => {
  const { openSetup, db } = await startEmpty(t)
  const form = await openSetup('es')
  const labels = { Organización: 'Ada', 'Tu nombre': 'Ada', 'Correo electrónico': 'ada@example.org' }
  const unsure = await form
    .fill({ ...labels, Contraseña: PASSWORD, 'Zona horaria': 'argentina' })
    .press('Crear')
  assert.match(unsure.messages.join(), /: America\/Argentina\/La_Rioja, America/)
  const made = await unsure.fill({ Contraseña: PASSWORD, 'Zona horaria': ' madrid ' }).press('Crear')
  assert.equal(made.field('Zona horaria').value, 'Europe/Madrid')
  const [account] = await db.read(INSTANCE, accounts.list)
  assert.equal(account?.timezone, 'Europe/Madrid')
  const [member] = await db.read(account?.id ?? '', users.list)
  const user = await db.read(INSTANCE, tx => users.getUser(tx, member?.user.id ?? ''))
  assert.equal(user.language, 'es')
})
