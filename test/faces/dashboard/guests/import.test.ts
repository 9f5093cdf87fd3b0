import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { onceSettled } from '#test/support/settled.ts'

const TABLE = [
  'Name;Email;Ticket type;Diet',
  'Grace Hopper;grace@example.org;Standard;Vegan',
  'José Peña;jose@example.org;Free;',
  'Nobody;not-an-email;Standard;',
  'Ada Lovelace;ada@example.org;Gold;',
  '',
].join('\r\n')

async function start(t: TestContext, file?: object) {
  const server = await startDashboard(t, file as Parameters<typeof startDashboard>[1])
  const { db, accountId, eventId } = server
  const address = `/manage/e/${eventId}/guests/import`
  const manager = await server.member('manager')
  const names = () =>
    db.read(INSTANCE, async tx => {
      const rows = await tx.all<{ buyer_name: string }>(
        'SELECT buyer_name FROM registrations WHERE account_id = $1 ORDER BY buyer_name',
        [accountId],
      )
      return rows.map(({ buyer_name }) => buyer_name)
    })
  const countJobs = () =>
    db.read(INSTANCE, async tx => (await tx.one<{ n: number }>('SELECT count(*) AS n FROM jobs'))?.n)
  return { ...server, address, manager, names, countJobs }
}

/** Returns the page of an upload, once nothing of it is under way. */
async function settled(
  { app }: Awaited<ReturnType<typeof start>>,
  page: ReadPage,
  reader: { open(path: string): Promise<ReadPage> },
): Promise<ReadPage> {
  const path = addressOf(page)
  const look = async () => {
    const now = await reader.open(path)
    return now.document.querySelector('progress') === null && now
  }
  return onceSettled({ app }, 'jobs', 'the end of the job', look)
}

function addressOf(page: ReadPage): string {
  return page.path.replace(/\/(columns|start)$/, '')
}

async function upload(
  t: Awaited<ReturnType<typeof start>>,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
) {
  return (await t.manager.open(t.address)).choose('File', name, content).press('Upload')
}

test('a file is uploaded, its columns are guessed, its lines checked, and the new guests imported', async t => {
  const at = await start(t)
  const columns = await upload(at, 'guests.csv', TABLE)
  assert.equal(columns.heading, 'Which column is what?')
  assert.match(columns.text, /guests\.csv/)
  assert.match(columns.text, /Grace HopperJosé PeñaNobodyAda Lovelace/)
  assert.deepEqual(
    [0, 1, 2, 3].map(n => (columns.document.getElementById(`columns.${n}`) as HTMLSelectElement).value),
    ['name', 'email', 'type', 'answer:Diet'],
  )
  assert.deepEqual(await at.names(), [])
  const checked = await settled(at, await columns.press('Check the lines'), at.manager)
  assert.match(checked.text, /2 guests can be imported\./)
  assert.deepEqual(
    [...checked.document.querySelectorAll('.tabs a')].map(tab => tab.textContent),
    ['New 2', 'Already there 0', 'Sold out 0', 'Wrong 2'],
  )
  assert.match(checked.rows()[1] ?? '', /^Line 3José Peñajose@example\.orgFree/)
  const wrong = await checked.follow('Wrong')
  assert.match(wrong.rows()[0] ?? '', /^Line 4Nobodynot-an-emailStandardEmail: not an e-mail address/)
  assert.match(wrong.rows()[1] ?? '', /^Line 5Ada Lovelace.*Ticket type: none of Standard, Free/)
  assert.deepEqual(await at.names(), [])
  const confirm = await checked.follow('Import 2 guests')
  assert.equal(confirm.heading, 'Import 2 guests?')
  assert.match(confirm.text, /2 tickets in all.*2 lines are left out/)
  assert.deepEqual(await at.names(), [])
  const done = await settled(at, await confirm.press('Import 2 guests'), at.manager)
  assert.match(
    done.messages.join(),
    /2 guests were added\..*Lines 4 and 5 were left out: something in them is wrong\./,
  )
  assert.match((await done.follow('See what is wrong')).rows()[0] ?? '', /^Line 4Nobody/)
  assert.deepEqual(await at.names(), ['Grace Hopper', 'José Peña'])
  assert.ok(!done.links().some(link => /^Import \d/.test(link)), 'there is nothing left to import')
  // The log has the whole import, with who did it.
  const log = await at.db.read(INSTANCE, tx =>
    tx.all<{ action: string; actor: string }>(
      "SELECT action, actor FROM access_log WHERE action LIKE 'import.%' OR action = 'registration.create' ORDER BY created_at, id",
    ),
  )
  assert.deepEqual(new Set(log.map(({ actor }) => actor)), new Set([`user:${at.manager.user.id}`]))
  assert.deepEqual(
    log.map(({ action }) => action),
    ['import.upload', 'import.check', 'import.start', 'registration.create', 'registration.create'],
  )
})

test('the lines left out come as CSV with the reason in the person’s language, and come back mended', async t => {
  const at = await start(t)
  const reader = await at.member('owner', { language: 'es' })
  const columns = await (await reader.open(at.address)).choose('Archivo', 'g.csv', TABLE).press('Subir')
  assert.equal(columns.heading, '¿Qué es cada columna?')
  const checked = await settled(at, await columns.press('Comprobar las líneas'), reader)
  const csv = await reader.open(`${addressOf(columns)}/left-out`)
  assert.match(String(csv.headers['content-type']), /^text\/csv/)
  assert.match(String(csv.headers['content-disposition']), /^attachment/)
  assert.deepEqual(csv.html.replace('\ufeff', '').split('\r\n'), [
    '"Name","Email","Ticket type","Diet","Por qué se ha quedado fuera"',
    '"Nobody","not-an-email","Standard","","Email: no es una dirección de correo"',
    '"Ada Lovelace","ada@example.org","Gold","","Ticket type: no es ninguno de Standard, Free"',
    '',
  ])
  assert.doesNotMatch(checked.text, /\b(line|guest|wrong|the)\b/i)
  const mended = csv.html.replace('not-an-email', 'nobody@example.org').replace('Gold', 'Free')
  const again = await (await reader.open(at.address)).choose('Archivo', 'g2.csv', mended).press('Subir')
  assert.equal((again.document.getElementById('columns.4') as HTMLSelectElement).value, 'none')
  assert.match(
    (await settled(at, await again.press('Comprobar las líneas'), reader)).text,
    /importar 2 asistentes/,
  )
})

test('once an import is done, the first wrong lines are named, and how many more there are', async t => {
  const at = await start(t)
  const lines = ['Grace Hopper,grace@example.org', ...Array.from({ length: 7 }, (_, n) => `Nobody ${n},none`)]
  const table = ['Name,Email,Ticket type', ...lines.map(line => `${line},Standard`)].join('\n')
  const checked = await settled(
    at,
    await (await upload(at, 'g.csv', table)).press('Check the lines'),
    at.manager,
  )
  assert.doesNotMatch(checked.text, /were left out/, 'nothing is left out before it is imported')
  const confirm = await checked.follow('Import 1 guest')
  const done = await settled(at, await confirm.press('Import 1 guest'), at.manager)
  assert.match(done.text, /Lines 3, 4, 5, 6, 7,? and 2 more were left out/)
})

test('the same file twice adds nobody twice: neither after the first import nor in two tabs beside it', async t => {
  const at = await start(t)
  const table = 'Name,Email,Ticket type\nGrace,grace@example.org,Free\nAda,ada@example.org,Free\n'
  const ready = async () =>
    settled(at, await (await upload(at, 'g.csv', table)).press('Check the lines'), at.manager)
  const [one, two] = [await ready(), await ready()]
  // Both tabs have seen two new guests.
  const confirms = [await one.follow('Import 2'), await two.follow('Import 2')]
  for (const confirm of confirms) await confirm.press('Import 2 guests')
  await settled(at, one, at.manager)
  assert.match(
    (await settled(at, two, at.manager)).messages.join(),
    /0 guests were added\. .*2 lines could not/,
  )
  assert.deepEqual(await at.names(), ['Ada', 'Grace'])
  const third = await ready()
  assert.match(third.messages.join(), /no new guest/)
  assert.match(third.text, /Already there 2/)
  // One request is the button that was pressed twice, and the other comes from a page that is out of date.
  assert.match(
    (await (confirms[0] as ReadPage).press('Import 2 guests')).messages.join(),
    /2 guests were added/,
  )
  assert.deepEqual(await at.names(), ['Ada', 'Grace'])
})

test('a confirm page that says another number than there is now is shown again, with nothing imported', async t => {
  const at = await start(t)
  const columns = await upload(at, 'g.csv', TABLE)
  const checked = await settled(at, await columns.press('Check the lines'), at.manager)
  const confirm = await checked.follow('Import 2 guests')
  // In another tab the names of columns differ: only one line is new.
  const other = await at.manager.open(`${addressOf(columns)}/columns`)
  ;(other.document.getElementById('columns.1') as HTMLSelectElement).value = 'none'
  assert.match((await other.press('Check the lines')).messages.join(), /which column has the e-mails/)
  const types = at.types as Record<string, string>
  ;(other.document.getElementById('columns.2') as HTMLSelectElement).value = 'none'
  ;(other.document.getElementById('registration_type_id') as HTMLSelectElement).value = types.Free as string
  ;(other.document.getElementById('columns.1') as HTMLSelectElement).value = 'email'
  await settled(at, await other.press('Check the lines'), at.manager)
  const seen = await confirm.press('Import 2 guests')
  assert.equal(seen.status, 409)
  assert.equal(seen.heading, 'Import 3 guests?')
  assert.match(seen.messages.join(), /changed meanwhile/)
  assert.deepEqual(await at.names(), [])
  await settled(at, await seen.press('Import 3 guests'), at.manager)
  assert.equal((await at.names()).length, 3)
})

test('what is chosen wrongly is told beside its column, in both languages, with every choice kept', async t => {
  const at = await start(t)
  const reader = await at.member('owner', { language: 'es' })
  const columns = await (await reader.open(at.address)).choose('Archivo', 'g.csv', TABLE).press('Subir')
  const select = (n: number) => columns.document.getElementById(`columns.${n}`) as HTMLSelectElement
  select(3).value = 'email'
  const refused = await columns.press('Comprobar las líneas')
  assert.equal(refused.status, 400)
  assert.equal(refused.document.getElementById('columns.3-error')?.textContent, 'Error: Otro ya tiene esto.')
  assert.equal((refused.document.getElementById('columns.3') as HTMLSelectElement).value, 'email')
  select(3).value = 'answer:Diet'
  select(2).value = 'none'
  const type = (await columns.press('Comprobar las líneas')).document.getElementById(
    'registration_type_id-error',
  )
  assert.equal(type?.textContent, 'Error: Rellena esto.')
})

test('a check and an import are stopped, and go on where they were', async t => {
  const at = await start(
    t,
    organization({ event: { registration_types: [{ name: 'Free', price: 0, capacity: 1000 }] } }),
  )
  const guests = Array.from({ length: 200 }, (_, n) => `Guest ${n},g${n}@example.org`)
  const columns = await upload(at, 'many.csv', ['Name,Email', ...guests].join('\n'))
  const path = addressOf(columns)
  const stopped = await at.manager.post(`${path}/stop`)
  assert.match(stopped.messages.join(), /not checked yet|200 guests can/)
  const checked = await settled(
    at,
    await (await at.manager.open(`${path}/columns`)).press('Check the lines'),
    at.manager,
  )
  const confirm = await checked.follow('Import 200 guests')
  const begun = await confirm.press('Import 200 guests')
  assert.ok(begun.document.querySelector('progress, .banner') !== null)
  const halted = await at.manager.post(`${path}/stop`)
  const left = 200 - (await at.names()).length
  if (left > 0) {
    assert.match(halted.messages.join(), new RegExp(`It was stopped: ${left} `))
    const again = await halted.follow(`Import ${left} `)
    await settled(at, await again.press(`Import ${left} `), at.manager)
  }
  assert.equal((await at.names()).length, 200)
  assert.equal(new Set(await at.names()).size, 200)
})

test('lines are shown fifty at a time, in the order of the file', async t => {
  const at = await start(t)
  const guests = Array.from({ length: 120 }, (_, n) => `Guest ${n},g${n}@example.org,Free`)
  const table = ['Name,Email,Ticket type', ...guests].join('\n')
  const checked = await settled(
    at,
    await (await upload(at, 'g.csv', table)).press('Check the lines'),
    at.manager,
  )
  assert.match(checked.text, /New 100/)
  assert.match(
    (await checked.follow('Sold out')).rows()[0] ?? '',
    /^Line 102Guest 100.*Ticket type: sold out/,
  )
  assert.equal(checked.rows().length, 50)
  const second = await checked.follow('Next')
  assert.match(second.rows()[0] ?? '', /^Line 52Guest 50g50@/)
  assert.ok(!second.links().includes('Next'))
  assert.match((await second.follow('First')).rows()[0] ?? '', /^Line 2Guest 0g0@/)
})

test('pasted lines go the same way, and what was pasted wrongly is there to be mended', async t => {
  const at = await start(t)
  const page = await at.manager.open(`${at.address}/paste`)
  const lines = 'Name\tEmail\tTicket type\nGrace\tgrace@example.org\tFree'
  const refused = await page.fill({ Lines: 'Grace\tgrace@example.org' }).press('Read them')
  assert.match(refused.text, /Line 1: One line must name the columns/)
  assert.equal(refused.field('Lines').value, 'Grace\tgrace@example.org')
  assert.match((await page.fill({ Lines: '' }).press('Read them')).text, /Fill this in/)
  assert.equal(await at.countJobs(), 0)
  const columns = await refused.fill({ Lines: lines }).press('Read them')
  assert.match(
    (await settled(at, await columns.press('Check the lines'), at.manager)).text,
    /1 guest can be imported/,
  )
})

test('files in every encoding are read; what is no table is told in words of both languages, and nothing is kept', async t => {
  const at = await start(t)
  const spanish = await at.member('owner', { language: 'es' })
  const utf16 = Buffer.from(`\ufeff${TABLE}`, 'utf16le')
  for (const bytes of [utf16, Buffer.from(utf16).swap16(), Buffer.from(`\ufeff${TABLE}`)])
    assert.match((await upload(at, 'g.csv', bytes)).text, /José Peña/)
  const guessed = await upload(at, 'g.csv', Buffer.from(TABLE, 'latin1'))
  assert.match(guessed.messages.join(), /does not say how its letters are written/)
  const jobs = await at.countJobs()
  const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080200000000', 'hex')
  const files: [name: string, content: string | Uint8Array<ArrayBuffer>, english: RegExp, spanish: RegExp][] =
    [
      ['face.png', png, /face\.png: This is not a table/, /face\.png: No es una tabla/],
      [
        'g.xlsx',
        Buffer.from('504b030400', 'hex'),
        /This workbook cannot be read/,
        /Este libro de cálculo no se puede leer/,
      ],
      [
        'open.csv',
        'Name,Email\n"Grace,g@example.org\n',
        /Line 2: A quotation mark/,
        /Línea 2: Hay unas comillas/,
      ],
      ['head.csv', 'Name,Email\n', /no line below/, /ninguna línea bajo/],
      ['none.csv', '', /must name the columns/, /debe nombrar las columnas/],
      [
        'long.csv',
        `Name,Email\n${'a,b\n'.repeat(100_001)}`,
        /more than 100,000 lines/,
        /más de 100.000 líneas/,
      ],
      ['wide.csv', `Name,Email\n${'a,'.repeat(200)}b\n`, /more than 200 columns/, /más de 200 columnas/],
    ]
  for (const [name, content, inEnglish, inSpanish] of files) {
    const page = await upload(at, name, content)
    assert.equal(page.status, 400, name)
    assert.match(page.messages.join(), inEnglish)
    const other = await (await spanish.open(at.address)).choose('Archivo', name, content).press('Subir')
    assert.match(other.messages.join(), inSpanish)
  }
  const none = await (await at.manager.open(at.address)).press('Upload')
  assert.match(none.messages.join(), /File: Fill this in/)
  assert.equal(await at.countJobs(), jobs)
})

test('names in HTML, Arabic and 200 characters stay text', async t => {
  const at = await start(t)
  const names = ['<b>x</b>', 'محمد', 'n'.repeat(200)]
  const lines = names.map((name, n) => `"${name}",g${n}@example.org,"<script>alert(1)</script>"`)
  const columns = await upload(at, '<i>.csv', ['Name,Email,"<u>Diet</u>"', ...lines].join('\n'))
  const checked = await settled(
    at,
    await columns.fill({ 'Ticket type': at.types.Free as string }).press('Check the lines'),
    at.manager,
  )
  for (const page of [columns, checked]) {
    assert.equal(page.document.querySelector('main b, main i, main u, main script'), null)
    assert.match(page.text, /محمد/)
    assert.equal(page.document.querySelector('main [style]'), null)
  }
})

test('who may not edit guests has no page of it, nor has another account: nothing is read, and nothing changes', async t => {
  const at = await start(t)
  const { account_id: other } = await at.apply(organization({ email: 'bob@example.org', events: [] }))
  const columns = await upload(at, 'g.csv', TABLE)
  await settled(at, await columns.press('Check the lines'), at.manager)
  const path = addressOf(columns)
  const get = [
    at.address,
    `${at.address}/paste`,
    path,
    `${path}/columns`,
    `${path}/start`,
    `${path}/left-out`,
  ]
  const post = [at.address, `${at.address}/paste`, `${path}/columns`, `${path}/start`, `${path}/stop`]
  const before = await at.countJobs()
  for (const role of ['finance', 'door', 'chair', 'reviewer'] as const) {
    const reader = await at.member(role)
    for (const each of get) assert.equal((await reader.open(each)).status, 403, `${role} ${each}`)
    for (const each of post) assert.equal((await reader.post(each)).status, 403, `${role} ${each}`)
  }
  const foreign = await at.member('owner', { email: 'bob@example.org', accountId: other })
  for (const each of get) assert.equal((await foreign.open(each)).status, 404, each)
  for (const each of post) assert.equal((await foreign.post(each)).status, 404, each)
  assert.deepEqual([await at.countJobs(), await at.names()], [before, []])
})

test('an upload belongs to its event: under another of the same account it is not found', async t => {
  const file = organization()
  const at = await start(t, { ...file, events: [...file.events, { ...file.events[0], slug: 'other' }] })
  const columns = await upload(at, 'g.csv', TABLE)
  const { events } = at.applied
  const foreign = addressOf(columns).replace(at.eventId, events.other?.id as string)
  for (const each of ['', '/columns', '/start', '/left-out'])
    assert.equal((await at.manager.open(foreign + each)).status, 404, each)
  for (const each of ['/columns', '/start', '/stop'])
    assert.equal((await at.manager.post(foreign + each)).status, 404, each)
  assert.equal((await at.manager.open(`${at.address}/nothing`)).status, 404)
})

test('while guests are imported their columns stay, and a later check finds what is new by them', async t => {
  const at = await start(t)
  const checked = await settled(
    at,
    await (await upload(at, 'g.csv', TABLE)).press('Check the lines'),
    at.manager,
  )
  const id = addressOf(checked).split('/').at(-1) as string
  await settled(at, await (await checked.follow('Import 2')).press('Import 2'), at.manager)
  // The type that a line names has been added meanwhile.
  const columns = await (await at.manager.open(addressOf(checked))).follow('Change the columns')
  const again = columns.document.getElementById('columns.2') as HTMLSelectElement
  again.value = 'none'
  columns.fill({ 'Ticket type': at.types.Free as string })
  const later = await settled(at, await columns.press('Check the lines'), at.manager)
  assert.match(later.text, /1 guest can be imported/)
  await settled(at, await (await later.follow('Import 1')).press('Import 1'), at.manager)
  assert.deepEqual(await at.names(), ['Ada Lovelace', 'Grace Hopper', 'José Peña'])
  const { isUnderWay } = await at.db.read(at.accountId, tx => imports.get(tx, id))
  assert.equal(isUnderWay, false)
})
