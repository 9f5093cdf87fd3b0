import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { onceSettled } from '#test/support/settled.ts'
import { openCall } from '#test/support/submissions.ts'

const HEAD = 'Reference;Title;Aim;Result;Topic;Kind;Keywords;Authors;Affiliations;E-mail'
const AUTHORS = '"Ada Lovelace <ada@example.org, 0000-0002-1825-0097> [1, 2]; *Aristotle [2]"'
const GOOD = `r1;On rooms;To fill;Filled;rooms;Talk;"rooms, doors";${AUTHORS};"1 Institute, Rome; 2 Academy";`
const TABLE = [
  HEAD,
  GOOD,
  'r2;On doors;To open;Opened;doors;Talk;;Lin Mei;;lin@example.org',
  'r3;On walls;To stand;;walls;Talk;;Lin Mei;;nobody',
  'r1;On rooms again;To fill;Filled;Rooms;Talk;;Lin Mei;;lin@example.org',
].join('\r\n')

async function start(t: TestContext) {
  const server = await startDashboard(t)
  const { db, accountId, eventId, client } = server
  const topics = ['Rooms', 'Doors']
  const kinds = [{ name: 'Talk', minutes: 20, poster: false }]
  // It is over: a table is added whenever.
  const closed = { opens_at: server.clock() - 3 * DAY, closes_at: server.clock() - DAY }
  await openCall(server, { topics, kinds, sections: ['Aim', 'Result'], ...closed })
  const chair = await server.member('chair', { eventIds: [eventId] })
  const path = `/manage/e/${eventId}/abstracts`
  const upload = async (content: string | Uint8Array<ArrayBuffer> = TABLE, name = 'abstracts.csv') =>
    (await chair.open(`${path}/import`)).choose('File', name, content).press('Read the file')
  const settled = (page: ReadPage) =>
    onceSettled(server, 'jobs', 'the end of the job', async () => {
      const now = await chair.open(page.path)
      return now.document.querySelector('progress') === null && now
    })
  return {
    ...server,
    ...{ path, chair, upload, settled },
    /** Adds the lines of an upload that are new. */
    add: async (page: ReadPage) => {
      const [title = ''] = /Add \d+ abstracts?/.exec(page.text) ?? []
      const ask = await page.follow(title)
      return settled(await ask.press(title))
    },
    abstracts: async () => (await client.get('/abstracts')).body.data,
    entries: async () => {
      const all = await db.read(accountId, tx => accessLog.list(tx, 100))
      return all.map(({ action }) => action).filter(action => /^(abstract|import)\./.test(action))
    },
  }
}

test('a table is read without adding anything, and says of each line what would come of it, and why', async t => {
  const { upload, abstracts } = await start(t)
  const page = await upload()
  assert.equal(page.status, 200)
  assert.match(page.text, /2 abstracts would be added/)
  const wrong = await page.follow('Wrong')
  assert.match(wrong.text, /Line 4.*On walls/s)
  assert.match(wrong.text, /E-mail of the person: /)
  assert.match(wrong.text, /Result: /)
  assert.match(wrong.text, /Topic: “walls” is none of those to choose from\./)
  assert.match(wrong.text, /Line 5.*It says the same as line 2\./s)
  assert.deepEqual(await abstracts(), [])
})

test('what is new is added as submitted, with its topic, kind, sections, authors and affiliations', async t => {
  const { upload, add, abstracts, entries } = await start(t)
  const done = await add(await upload())
  assert.match(done.text, /2 abstracts were added/)
  const all = await abstracts()
  assert.deepEqual(all.map(({ title }: { title: string }) => title).sort(), ['On doors', 'On rooms'])
  const rooms = all.find(({ title }: { title: string }) => title === 'On rooms')
  assert.deepEqual(
    [rooms.abstract, rooms.topic, rooms.kind.name, rooms.keywords, rooms.language, rooms.status],
    ['Aim: To fill\n\nResult: Filled', 'Rooms', 'Talk', 'rooms, doors', 'en', 'submitted'],
  )
  assert.deepEqual(rooms.contact, { name: 'Ada Lovelace', email: 'ada@example.org', phone: null })
  assert.deepEqual(rooms.authors, [
    {
      ...{ name: 'Ada Lovelace', email: 'ada@example.org', affiliation: 'Institute, Rome; Academy' },
      ...{ presenting: false, orcid: '0000-0002-1825-0097', affiliations: ['Institute, Rome', 'Academy'] },
    },
    {
      ...{ name: 'Aristotle', email: null, affiliation: 'Academy', presenting: true, orcid: null },
      affiliations: ['Academy'],
    },
  ])
  assert.deepEqual((await entries()).sort(), [
    ...['abstract.add', 'abstract.add', 'import.start', 'import.upload'],
  ])
})

test('the same file again adds nothing, and neither does a line that has only another text', async t => {
  const { upload, add, abstracts } = await start(t)
  await add(await upload())
  const again = await upload()
  assert.match(again.text, /Nothing of this file would be added/)
  assert.match(again.text, /There already ?2/)
  const changed = await upload(TABLE.replace('On doors', 'On other doors'))
  assert.match(changed.text, /Nothing of this file would be added/)
  assert.equal((await abstracts()).length, 2)
})

test('without a reference, a line is known by its title and first author, whatever their letters', async t => {
  const { upload, add, abstracts } = await start(t)
  const head = 'Title,Aim,Result,Topic,Kind,Authors,Email'
  const line = (title: string, author: string) => `${title},a,b,Rooms,Talk,${author},lin@example.org`
  await add(await upload([head, line('On Rooms', 'Lin Mei')].join('\n')))
  const page = await upload([head, line('ON ROOMS', 'lin mei'), line('On Rooms', 'Mei Lin')].join('\n'))
  assert.match(page.text, /1 abstract would be added/)
  await add(page)
  assert.equal((await abstracts()).length, 2)
})

test('a file without a column of titles, an empty one and no table are refused beside the field, and nothing is kept', async t => {
  const { upload, chair, path } = await start(t)
  const refused = await upload('Name,Email\nLin,lin@example.org\n')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /No column has the titles/)
  for (const content of ['', '\u0000\u0001\u0002', HEAD]) {
    const page = await upload(content)
    assert.ok(page.status >= 400, JSON.stringify(content))
    assert.ok(page.document.querySelector('[role="alert"]'))
  }
  assert.equal((await chair.open(`${path}/import`)).status, 200)
})

test('the template has the columns that the call asks for, in the language of the member, and is read as it is filled in', async t => {
  const { chair, path, upload } = await start(t)
  const { bytes } = await chair.download(`${path}/import/template.csv`)
  const header = bytes.toString('utf8').replace('\ufeff', '').replaceAll('"', '').trim()
  assert.equal(
    header,
    'reference,title,Aim,Result,keywords,topic,kind,language,authors,affiliations,presenter,name,email,telephone',
  )
  const filled = `${header}\n,On rooms,a,b,,Rooms,Talk,,Lin Mei,,,,lin@example.org,\n`
  assert.match((await upload(filled)).text, /1 abstract would be added/)
})

test('who may not read abstracts sees neither the form nor an upload; a chair of another event does not either', async t => {
  const { upload, member, path } = await start(t)
  const page = await upload()
  const door = await member('door', { email: 'door@example.org' })
  for (const address of [`${path}/import`, page.path, `${page.path}/start`, `${path}/import/template.csv`])
    assert.equal((await door.open(address)).status, 403, address)
})

test('lines that are wrong are downloaded with the reasons, harmless in a spreadsheet, and are read again once they are corrected', async t => {
  const { upload, chair, path } = await start(t)
  const head = 'Title,Aim,Result,Topic,Kind,Authors,Email'
  const lines = [
    '=1+1,a,b,Nowhere,Talk,Lin Mei,lin@example.org',
    'On doors,a,b,Rooms,Talk,Lin Mei,lin@example.org',
  ]
  const page = await upload([head, ...lines].join('\n'))
  const [link] = [...page.document.querySelectorAll('a')].filter(
    a => a.textContent === 'Download the lines left out',
  )
  const { status, bytes, headers } = await chair.download(link?.getAttribute('href') ?? '')
  assert.equal(status, 200)
  assert.match(String(headers['content-disposition']), /^attachment; filename="?[0-9a-f-]+\.csv/)
  const text = bytes.toString()
  const [header, line, ...others] = text.trim().split(/\r?\n/)
  assert.match(header as string, /"Email","Why it was left out"$/)
  assert.match(
    line as string,
    /^"'=1\+1","a","b","Nowhere",.*Topic: “Nowhere” is none of those to choose from\."$/,
  )
  assert.deepEqual(others, [])
  const again = await upload(text.replace('Nowhere', 'Rooms'))
  assert.match(again.text, /1 abstract would be added/)
  assert.match(again.text, /=1\+1/)
  assert.doesNotMatch(again.text, /'=1/)
  const outside = await chair.download(`${path}/import/${'0'.repeat(8)}/left-out`)
  assert.equal(outside.status, 404)
})
