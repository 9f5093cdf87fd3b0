import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { MIB, pdfOf, readFiles } from '#test/support/files.ts'
import { contentOf, openCall, send } from '#test/support/submissions.ts'
import { BOUNDARY, CLOSING, opening, startWithDraft } from '#test/support/submitted-files.ts'
import { eventually } from '#test/support/webhooks.ts'

const bytesOf = (size: number) => new Uint8Array(pdfOf(size))

test('an author attaches a PDF, gets it back under the name of nobody, replaces it and takes it away, and no text changes', async t => {
  const at = await startWithDraft(t)
  const before = await at.read()
  const first = bytesOf(700_000)
  const page = await at.attach('My talk.pdf', first)
  assert.equal(page.status, 200)
  assert.match(page.text, /My talk\.pdf \(700 kB\)/)
  const { status, headers, bytes } = await at.download()
  assert.equal(status, 200)
  assert.ok(bytes.equals(first))
  assert.deepEqual(
    [
      ...['content-type', 'content-length', 'content-disposition', 'content-security-policy'],
      ...['x-content-type-options', 'cache-control'],
    ].map(name => headers[name]),
    [
      ...['application/pdf', '700000', 'attachment; filename="abstract.pdf"', "sandbox; default-src 'none'"],
      ...['nosniff', 'no-store'],
    ],
  )
  const second = bytesOf(100)
  // The page where the text is written has the same form, and comes back.
  const replaced = await at.attach('other.pdf', second, `${at.own}/edit`)
  assert.match(replaced.path, /\/edit(#|$)/)
  assert.match(replaced.text, /other\.pdf/)
  assert.ok((await at.download()).bytes.equals(second))
  const none = await replaced.press('Remove the file')
  assert.match(none.path, /\/edit(#|$)/)
  assert.doesNotMatch(none.text, /other\.pdf|Remove the file/)
  assert.equal((await at.download()).status, 404)
  assert.deepEqual(await at.read(), before)
})

test('what is no whole PDF of at most the size is refused in words, and the file before stays', async t => {
  const at = await startWithDraft(t, { max_file_mib: 10 })
  const stays = bytesOf(100)
  await at.attach('a.pdf', stays)
  const wrong: [bytes: Uint8Array<ArrayBuffer> | string, says: RegExp][] = [
    ['GIF89a', /This is no PDF/],
    [new Uint8Array(), /errors?: .*|There is one|Choose/],
    [bytesOf(MIB).subarray(0, -20), /it was cut off/],
    // Readers would look past the first bytes, and browsers would take them for a page.
    [`<html><script>alert(1)</script>\n${Buffer.from(bytesOf(100)).toString('latin1')}`, /This is no PDF/],
    [bytesOf(10 * MIB + 1), /The file is larger than 10 MB/],
    [bytesOf(11 * MIB), /The file is larger than 10 MB/],
  ]
  for (const [bytes, says] of wrong) {
    for (const from of [at.own, `${at.own}/edit`]) {
      const page = await at.attach('wrong.pdf', bytes, from)
      assert.ok(page.status >= 400 && page.status < 500, `${says}: ${page.status}`)
      assert.match(page.text, says)
      assert.match(page.text, /a\.pdf/)
    }
  }
  assert.ok((await at.download()).bytes.equals(stays))
  assert.deepEqual((await readFiles(at.db)).pieces, [0])
  assert.equal((await at.attach('most.pdf', bytesOf(10 * MIB))).status, 200)
})

test('what is a PDF and a page at once is only ever saved: no browser shows it, or runs what is in it', async t => {
  const at = await startWithDraft(t)
  const both = '%PDF-1.7\n<html><script>alert(1)</script></html>\n%%EOF\n'
  assert.equal((await at.attach('x.html', both)).status, 200)
  const { headers } = await at.download()
  assert.equal(headers['content-type'], 'application/pdf')
  assert.match(headers['content-disposition'] as string, /^attachment; filename="abstract\.pdf"$/)
  assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'")
})

test('what drips, and what breaks off, leaves nothing behind; whoever waits for the answer reads why', async t => {
  const at = await startWithDraft(t)
  const files = readdirSync(at.data)
  const http = await at.findHttp()
  const broken = at.open(500_000)
  broken.socket.write(opening('a.pdf') + pdfOf(200_000).toString('latin1'), 'latin1')
  const closed = new Promise(resolve => http.once('clientError', resolve))
  broken.socket.destroy()
  await broken.closed
  http.headersTimeout = 20
  http.requestTimeout = 20
  const drip = at.open(500_000)
  drip.socket.write(`${opening('a.pdf')}%PDF-1.7\n`)
  const answer = await drip.closed
  assert.match(answer, /^HTTP\/1\.1 408 /)
  assert.match(answer, /It came in too slowly/)
  await closed
  assert.deepEqual(await readFiles(at.db), { files: [], pieces: [] })
  assert.deepEqual(readdirSync(at.data), files)
})

test('what has come of a file is kept while the rest comes, and it is attached only once its form has come to its end', async t => {
  const at = await startWithDraft(t)
  const file = pdfOf(600_000).toString('latin1')
  const part = `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n`
  for (const [rest, answers] of [
    [part.repeat(30) + CLOSING, /^HTTP\/1\.1 4/],
    ['', /^HTTP\/1\.1 4/],
    [CLOSING, /^HTTP\/1\.1 303 /],
  ] as const) {
    const body = opening('a.pdf') + file
    const { socket, closed } = at.open(body.length + rest.length)
    socket.write(body.slice(0, -10), 'latin1')
    await eventually('two pieces', async () => (await readFiles(at.db)).pieces.length === 2)
    assert.equal((await at.download()).status, 404)
    socket.write(body.slice(-10) + rest, 'latin1')
    assert.match(await closed, answers)
    if (rest !== CLOSING) assert.deepEqual(await readFiles(at.db), { files: [], pieces: [] })
  }
  assert.equal((await at.download()).bytes.length, 600_000)
})

test('a file counts by when it began to come in, however slow the network; one that begins too late is refused in words', async t => {
  const at = await startWithDraft(t)
  at.clock.advance(14 * DAY)
  const body = opening('a.pdf') + pdfOf(100_000).toString('latin1') + CLOSING
  const slow = at.open(body.length)
  slow.socket.write(body.slice(0, 10_000), 'latin1')
  // A request that comes after it is answered, so it has begun.
  await at.visitor().open(at.path)
  const page = await at.visitor().open(at.own)
  at.clock.advance(HOUR)
  slow.socket.write(body.slice(10_000), 'latin1')
  assert.match(await slow.closed, /^HTTP\/1\.1 303 /)
  const late = await page.choose('Choose a PDF', 'late.pdf', bytesOf(100)).press('Attach the file')
  assert.ok(late.status >= 400 && late.status < 500)
  assert.match(late.text, /The call for abstracts is over/)
  assert.match(late.text, /a\.pdf/)
  assert.doesNotMatch(late.text, /late\.pdf|Replace the file|Remove the file/)
  const removed = await at.visitor().post(`${at.own}/file/remove`)
  assert.match(removed.text, /The call for abstracts is over/)
  // Whoever has the link still reads what is there.
  assert.equal((await at.download()).bytes.length, 100_000)
})

test('a file for what was saved before the deadline is taken for ten minutes more, as its text is', async t => {
  const at = await startWithDraft(t, { file: 'required' })
  at.clock.advance(14 * DAY - MINUTE)
  const page = await at.visitor().open(at.own)
  at.clock.advance(10 * MINUTE)
  const taken = await page.choose('Choose a PDF', 'in-time.pdf', bytesOf(100)).press('Attach the file')
  assert.equal(taken.status, 200)
  assert.match(taken.text, /in-time\.pdf/)
  at.clock.advance(2 * MINUTE)
  const late = await page.choose('Choose a PDF', 'late.pdf', bytesOf(100)).press('Attach the file')
  assert.match(late.text, /The call for abstracts is over/)
  assert.match(late.text, /in-time\.pdf/)
})

test('a server takes as many files as whoever runs it has said, and says in words when it is full', async t => {
  const at = await startWithDraft(t, {}, { settings: { filesLimit: 0 } })
  const page = await at.attach('a.pdf', bytesOf(100))
  assert.equal(page.status, 409)
  assert.match(page.text, /There is no room for another file here just now/)
  assert.deepEqual(await readFiles(at.db), { files: [], pieces: [] })
})

test('the link of somebody else, and a link of another kind, lead to no file and take none', async t => {
  const at = await startWithDraft(t)
  await at.attach('a.pdf', bytesOf(100))
  const other = await at.beginOne({ email: 'else@example.org' })
  assert.equal((await at.download(other.own)).status, 404)
  const lost = [at.all, at.own.replace(/[^/]+$/, 'A'.repeat(46))]
  for (const address of lost) {
    assert.equal((await at.download(address)).status, 404)
    const { closed, socket } = at.open(10, address)
    socket.write('0123456789')
    assert.match(await closed, /^HTTP\/1\.1 404 /)
    assert.equal((await at.visitor().post(`${address}/file/remove`)).status, 404)
  }
  const { files } = await readFiles(at.db)
  assert.deepEqual(
    files.map(({ submission_id, replaced_at }) => [submission_id, replaced_at]),
    [[at.submission.id, null]],
  )
})

test('a file that is sent twice at once stands once, and who sends more than four at once waits', async t => {
  const at = await startWithDraft(t)
  const page = await at.visitor().open(at.own)
  page.choose('Choose a PDF', 'a.pdf', bytesOf(300_000))
  await Promise.all([page.press('Attach the file'), page.press('Attach the file')])
  const { files } = await readFiles(at.db)
  assert.deepEqual(files.map(({ replaced_at }) => replaced_at === null).sort(), [false, true])
  const waiting = Array.from({ length: 4 }, () => {
    const connection = at.open(1_000)
    connection.socket.write(opening('b.pdf'))
    return connection
  })
  await at.visitor().open(at.own)
  await eventually('a fifth is refused', async () => {
    const fifth = await at.attach('fifth.pdf', bytesOf(100))
    return fifth.status === 429 && /too much in a short time/.test(fifth.text)
  })
  for (const { socket } of waiting) socket.destroy()
})

test('a server takes 64 files at once of whoever sends them; the next one is told in words, and has its turn once there is room', async t => {
  const at = await startWithDraft(t, {}, { settings: { trustProxy: ['127.0.0.1'] } })
  const waiting = Array.from({ length: 64 }, (_, n) => {
    const connection = at.open(1_000, at.own, { 'X-Forwarded-For': `192.0.2.${n}` })
    connection.socket.write(opening('b.pdf'))
    return connection
  })
  const body = opening('a.pdf') + pdfOf(100).toString('latin1') + CLOSING
  const sendOne = async () => {
    const { closed, socket } = at.open(body.length, at.own, { 'X-Forwarded-For': '198.51.100.1' })
    socket.write(body, 'latin1')
    return closed
  }
  let refused = ''
  await eventually('one more is refused', async () => {
    refused = await sendOne()
    return refused.startsWith('HTTP/1.1 503 ')
  })
  assert.match(refused, /That cannot be done just now\. Nothing was changed: try again shortly\./)
  assert.match(refused, /Choose a PDF/)
  for (const { socket } of waiting) socket.destroy()
  await eventually('it has its turn', async () => (await sendOne()).startsWith('HTTP/1.1 303 '))
})

test('where the call asks for a file, nothing is sent without it; what was sent names its file, and keeps one', async t => {
  const at = await startWithDraft(t, { file: 'required' })
  const { submission } = at
  const call = await at.visitor().open(`${at.path}abstracts`)
  assert.match(call.text, /A file beside the text: a PDF of at most 1 MB/)
  await assert.rejects(send(at, submission.id), { code: 'abstract_incomplete' })
  const edit = await at.visitor().open(`${at.own}/edit`)
  const lacking = await edit.press('Check and send…')
  assert.equal(lacking.status, 422)
  assert.match(lacking.text, /The call asks for a file\. Attach a PDF\./)
  const kept = await at.attach('Talk.pdf', bytesOf(100), `${at.own}/edit`)
  assert.doesNotMatch(kept.text, /The call asks for a file/)
  await send(at, submission.id)
  const [sent] = await at.abstracts()
  assert.equal(sent.file_name, 'Talk.pdf')
  const disposition = (await at.download()).headers['content-disposition']
  assert.equal(disposition, `attachment; filename="${sent.code}.pdf"`)
  const page = await at.visitor().open(at.own)
  assert.doesNotMatch(page.text, /Remove the file/)
  const refused = await at.visitor().post(`${at.own}/file/remove`)
  assert.equal(refused.status, 422)
  await at.attach('Talk 2.pdf', bytesOf(200))
  assert.equal((await at.abstracts())[0].file_name, 'Talk 2.pdf')
  // Of what was sent, a change of the text leaves the file.
  await send(at, submission.id, contentOf({ title: 'On doors' }))
  assert.equal((await at.abstracts())[0].file_name, 'Talk 2.pdf')
  await openCall(at, { file: 'optional' })
  await (await at.visitor().open(at.own)).press('Remove the file')
  assert.equal((await at.abstracts())[0].file_name, null)
  await at.attach('Talk 3.pdf', bytesOf(300))
  await at.db.write(at.accountId, tx => sending.withdraw(tx, submission.id))
  assert.equal((await at.download()).bytes.length, 300)
})

test('whoever deletes a draft deletes its file, and a call without files takes none', async t => {
  const at = await startWithDraft(t)
  await at.attach('a.pdf', bytesOf(100))
  await at.attach('b.pdf', bytesOf(100))
  const asked = await (await at.visitor().open(at.own)).follow('Delete the draft…')
  await asked.press('Delete the draft')
  const { files } = await readFiles(at.db)
  // Nothing leads to them any more, and the cleaning takes them.
  assert.deepEqual(
    files.map(({ submission_id, replaced_at }) => [submission_id, replaced_at]),
    [
      [null, null],
      [null, null],
    ],
  )
  await openCall(at, { file: 'none' })
  assert.match((await at.visitor().open(`${at.path}abstracts`)).text, /No file/)
  const other = await at.beginOne({ email: 'else@example.org' })
  const page = await at.visitor().open(other.own)
  assert.doesNotMatch(page.text, /Choose a PDF|File/)
  const body = opening('a.pdf') + pdfOf(100).toString('latin1') + CLOSING
  const { closed, socket } = at.open(body.length, other.own)
  socket.write(body, 'latin1')
  assert.match(await closed, /^HTTP\/1\.1 404 /)
})

test('one abstract takes thirty files a day, and one address sends sixty an hour', async t => {
  const at = await startWithDraft(t, {}, { settings: { trustProxy: ['127.0.0.1'] } })
  const body = opening('a.pdf') + pdfOf(100).toString('latin1') + CLOSING
  const sendFrom = async (address: string, own: string) => {
    at.clock.advance(MINUTE / 2)
    const { closed, socket } = at.open(body.length, own, { 'X-Forwarded-For': address })
    socket.write(body, 'latin1')
    return closed
  }
  const taken = async (address: string, own: string, count: number) => {
    for (let n = 0; n < count; n++) assert.match(await sendFrom(address, own), /^HTTP\/1\.1 303 /)
  }
  const others = await Promise.all(['b', 'c', 'd'].map(name => at.beginOne({ email: `${name}@example.org` })))
  const [second, third, fourth] = others.map(({ own }) => own) as [string, string, string]
  await taken('192.0.2.1', at.own, 30)
  const often = await sendFrom('192.0.2.2', at.own)
  assert.match(often, /^HTTP\/1\.1 429 /)
  assert.match(often, /many files in a short time/)
  await taken('192.0.2.1', second, 30)
  assert.match(await sendFrom('192.0.2.1', third), /^HTTP\/1\.1 429 /)
  await taken('192.0.2.3', fourth, 1)
  at.clock.advance(HOUR)
  await taken('192.0.2.1', third, 1)
  at.clock.advance(DAY)
  await taken('192.0.2.1', at.own, 1)
})

test('a chair downloads the file from the page of its abstract, with the same headers; who reads no abstracts does not', async t => {
  const at = await startWithDraft(t)
  await at.attach('Lin Mei.pdf', bytesOf(300_000))
  await send(at, at.submission.id)
  const [{ id, code }] = await at.abstracts()
  const path = `/manage/e/${at.eventId}/abstracts/${id}`
  const chair = await at.member('chair')
  const page = await chair.open(path)
  assert.match(page.text, /Download the PDF \(300 kB\)/)
  const { status, headers, bytes } = await chair.download(`${path}/file`)
  assert.deepEqual(
    [
      ...[status, bytes.length, headers['content-length'], headers['content-disposition']],
      ...[headers['content-security-policy'], headers['x-content-type-options'], headers['cache-control']],
    ],
    [
      ...[200, 300_000, '300000', `attachment; filename="${code}.pdf"`],
      ...["sandbox; default-src 'none'", 'nosniff', 'no-store'],
    ],
  )
  const reviewer = await at.member('reviewer')
  assert.equal((await reviewer.download(`${path}/file`)).status, 403)
  await (await at.visitor().open(at.own)).press('Remove the file')
  assert.doesNotMatch((await chair.open(path)).text, /Download the PDF/)
  assert.equal((await chair.download(`${path}/file`)).status, 404)
})

test('the access log has that a file came and went, and neither it nor the log of the server has its name', async t => {
  const at = await startWithDraft(t, {}, { logLevel: 'trace' })
  await at.attach('Secret name.pdf', bytesOf(100))
  await at.attach('Secret name.txt', 'no PDF')
  await (await at.visitor().open(at.own)).press('Remove the file')
  const entries = await at.db.read(at.accountId, tx => accessLog.list(tx, 100))
  const own = entries.filter(({ target_id }) => target_id === at.submission.id)
  assert.deepEqual(
    own.map(({ action, actor }) => [action, actor]),
    ['abstract.file_remove', 'abstract.file'].map(action => [action, `submitter:${at.submitter.id}`]),
  )
  assert.doesNotMatch(JSON.stringify([entries, at.log]), /Secret name/)
})
