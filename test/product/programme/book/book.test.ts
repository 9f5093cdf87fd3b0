import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Papa from 'papaparse'
import { Archive } from '#machinery/workbooks/archive.ts'
import type { Author } from '#product/programme/submissions/content.ts'
import { insertFile } from '#test/support/files.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { acceptOne, addSession, openProgrammeCall } from '#test/support/published.ts'

async function start(t: TestContext) {
  const server = await startDashboard(t)
  const call = await openProgrammeCall(server)
  const [talk, poster] = call.kinds.map(({ id }) => id) as [string, string]
  const chair = await server.member('chair')
  const get = (what: string) => chair.download(`/manage/e/${server.eventId}/programme/${what}`)
  const book = async () => parsePage((await get('book.html')).bytes.toString())
  return { ...server, chair, talk, poster, get, book }
}

const author = (changes: Partial<Author>): Author => ({
  ...{ given: 'Ada', family: 'Lovelace', email: null, orcid: null, affiliations: [0], presenting: true },
  ...changes,
})

test('the book has its contents by session, each abstract once with its number and text, and needs no network', async t => {
  const at = await start(t)
  const one = await acceptOne(at, {
    title: 'Rooms',
    kind_id: at.talk,
    sections: [{ heading: '', text: 'They are $x^2$ wide.' }],
  })
  const two = await acceptOne(at, { title: 'Walls', kind_id: at.poster })
  await addSession(at, { title: 'Morning', room: 'Hall', chairs: ['Chiara Chair'] }, [one, two])
  await addSession(at, { title: 'Wall', from: at.clock() + 9e8 }, [{ id: two.id, minutes: 0 }])
  const page = await at.book()
  const contents = [...page.querySelectorAll('.contents > ol > li')].map(each => each.textContent)
  assert.match(contents[0] ?? '', /Morning.*O-01Rooms.*P-001Walls/s)
  assert.match(contents[1] ?? '', /Wall.*P-001Walls/s)
  assert.deepEqual(
    [...page.querySelectorAll('article')].map(({ id }) => id),
    ['O-01', 'P-001'],
  )
  assert.ok(page.querySelector('#O-01 math'))
  assert.match(page.querySelector('#P-001')?.textContent ?? '', /Also: /)
  for (const link of page.querySelectorAll('[href]')) {
    const href = link.getAttribute('href') ?? ''
    assert.ok(href.startsWith('#') && page.getElementById(href.slice(1)), href)
  }
  assert.equal(page.querySelector('[src], link, script'), null)
})

test('in the index people are one by ORCID, else e-mail, else name and affiliation, sorted by family name', async t => {
  const at = await start(t)
  const orcid = '0000-0002-1825-0097'
  const authors = (...some: Partial<Author>[]) => ({
    authors: some.map((each, at) => author({ presenting: at === 0, ...each })),
  })
  const one = await acceptOne(
    at,
    authors({ orcid, email: 'ada@a.example' }, { given: 'Émile', family: 'Zola' }),
  )
  const two = await acceptOne(at, authors({ given: 'A.', orcid }, { given: 'Emile', family: 'Zola' }))
  const three = await acceptOne(
    at,
    authors(
      { given: 'Augusta', email: 'ADA@a.example' },
      { family: 'Álvarez', given: 'Luz', email: 'luz@a.example' },
    ),
  )
  const four = await acceptOne(at, {
    ...authors(
      { given: 'Émile', family: 'Zola' },
      { given: null, family: 'Ángel', email: 'angel@a.example' },
    ),
    affiliations: ['Somewhere else'],
  })
  await addSession(at, {}, [one, two, three, four])
  const lines = [...(await at.book()).querySelectorAll('.index li')].map(each => each.textContent)
  assert.deepEqual(lines, [
    'Álvarez, Luz O-03',
    'Ángel O-04',
    'Lovelace, Ada O-01, O-02, O-03',
    'Zola, Émile O-01, O-02',
    'Zola, Émile O-04',
  ])
})

test('the index and the book show no e-mail and no ORCID iD', async t => {
  const at = await start(t)
  const one = await acceptOne(at, {
    authors: [author({ orcid: '0000-0002-1825-0097', email: 'ada@a.example' })],
  })
  await addSession(at, { chairs: ['Chiara Chair'] }, [one])
  const { bytes } = await at.get('book.html')
  assert.doesNotMatch(bytes.toString(), /@a\.example|@chairs|@writers|0000-0002/)
})

test('the programme as a table has a line for each slot, and no cell that a spreadsheet would run', async t => {
  const at = await start(t)
  const one = await acceptOne(at, { title: '=1+1', kind_id: at.talk }, 'one@writers.example')
  await addSession(at, { title: '+Morning', room: 'Hall' }, ['Welcome', one])
  const { bytes, headers } = await at.get('programme.csv')
  assert.match(headers['content-disposition'] ?? '', /spring-meeting-programme\.csv/)
  const text = bytes.toString()
  assert.ok(text.startsWith('\ufeff'))
  const rows = Papa.parse<Record<string, string>>(text.slice(1), { header: true, skipEmptyLines: true }).data
  assert.deepEqual(
    rows.map(row => [row.room, row.session, row.number, row.title, row.contact_email]),
    [
      ['Hall', "'+Morning", '', 'Welcome', ''],
      ['Hall', "'+Morning", 'O-01', "'=1+1", 'one@writers.example'],
    ],
  )
})

test('files of accepted abstracts come in one ZIP file, named by number and code', async t => {
  const at = await start(t)
  const one = await acceptOne(at, { kind_id: at.talk })
  const loose = await acceptOne(at, { kind_id: at.talk })
  await addSession(at, {}, [one])
  await at.db.write(at.accountId, async tx => {
    for (const { submission } of [one, loose])
      await insertFile(tx, at.eventId, { submissionId: submission.id })
  })
  const archive = new Archive((await at.get('files.zip')).bytes)
  assert.ok(archive.has(`O-01_${one.code}.pdf`))
  assert.ok(archive.has(`${loose.code}.pdf`))
})

test('only chairs of the event take along what has names: others find nothing', async t => {
  const at = await start(t)
  const other = await at.member('door')
  for (const what of ['book.html', 'programme.csv', 'files.zip', 'publish', 'texts', 'unpublish']) {
    const { status } = await other.download(`/manage/e/${at.eventId}/programme/${what}`)
    assert.ok([403, 404].includes(status), `${what} ${status}`)
  }
})
