import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, MINUTE, SECOND } from '#base/time.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import { ABSTRACTS_PATH, SUBMITTERS_PATH } from '#product/programme/submissions/links.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { startSale } from '#test/support/people/sale.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'
import { fillWhole, startSubmitting, whole } from '#test/support/submitting.ts'
import { textsIn } from '#texts/catalogue.ts'

test('whoever is the only author presents an abstract without saying so, and two authors are asked', async t => {
  const at = await startSubmitting(t)
  const { own } = await at.beginOne()
  const mine = { 'Your name': 'Lin Mei', 'Language of the text': 'en', Text: 'They fill.' }
  const form = (await at.visitor().open(`${own}/edit`)).fill({ ...mine, Title: 'On rooms' })
  const nameAt = (page: ReadPage, place: number, name: string) => {
    const family = page.document.getElementById(`author.${place}.family`) as HTMLInputElement
    family.value = name
  }
  nameAt(form, 0, 'Mei')
  const check = await form.press('Check and send…')
  assert.match((await check.press('Send it')).path, /\?sent$/)
  const { own: other } = await at.beginOne()
  const one = (await at.visitor().open(`${other}/edit`)).fill({ ...mine, Title: 'On doors' })
  nameAt(one, 0, 'Mei')
  const two = await one.press('Add an author')
  nameAt(two, 1, 'Lovelace')
  const asked = await two.press('Check and send…')
  assert.match(asked.text, /Who presents it\?: Choose an answer\./)
})

test('whoever has nothing but a browser begins, sends, changes and withdraws an abstract', async t => {
  const at = await startSubmitting(t)
  const call = await at.visitor().open(`${at.path}abstracts`)
  assert.equal(call.heading, 'Call for abstracts: Spring Meeting')
  const form = await call.follow('Begin an abstract')
  at.clock.advance(2 * SECOND)
  const edit = await fillWhole(form.fill(whole)).press('Save')
  assert.match(edit.path, /^\/abstracts\/[\w-]{46}\/edit$/)
  assert.match(edit.text, /Saved at .*not sent yet/)
  assert.deepEqual(await at.abstracts(), [])
  assert.deepEqual(await at.mails(), ['abstract_link lin@example.org'])
  const check = await edit.press('Check and send…')
  assert.equal(check.heading, 'Is this right?')
  assert.deepEqual(await at.abstracts(), [])
  const sent = await check.press('Send it')
  assert.equal(sent.heading, 'Your abstract has arrived')
  const [abstract] = await at.abstracts()
  assert.deepEqual(
    [abstract.title, abstract.abstract, abstract.status, abstract.authors],
    [
      ...['On rooms', 'They fill.', 'submitted'],
      [
        {
          ...{ name: 'Lin', email: null, affiliation: 'Institute', presenting: true },
          ...{ orcid: null, affiliations: ['Institute'] },
        },
      ],
    ],
  )
  assert.ok(sent.text.includes(abstract.code))
  assert.match(sent.text, /Deadline ?\d+ \w+ \d{4}, \d\d:\d\d \(\w+\)/, 'with the zone that it is in')
  const again = await (await sent.follow('Change something')).fill({ Text: 'They are full.' }).press('Save')
  assert.match(again.text, /They are full\./)
  assert.equal((await at.abstracts())[0].abstract, 'They are full.')
  const gone = await (await again.follow('Withdraw…')).press('Withdraw the abstract')
  assert.match(gone.text, /This abstract is withdrawn\./)
  assert.doesNotMatch(gone.text, /Change something|Withdraw…/)
  assert.deepEqual(await at.abstracts(), [])
})

test('a first save needs a name and an e-mail, and nothing else; what is sent needs all, and says what', async t => {
  const at = await startSubmitting(t, { sections: ['Aim', 'Result'], max_words: 5, topics: ['Rooms'] })
  const refused = await (await at.openForm()).fill({ Title: 'Kept' }).press('Save')
  assert.equal(refused.status, 422)
  assert.equal(refused.field('Title').value, 'Kept')
  assert.deepEqual(await at.mails(), [])
  const edit = await refused.fill(whole).press('Save')
  assert.equal(edit.status, 200)
  const lacking = await edit.press('Check and send…')
  assert.equal(lacking.status, 422)
  for (const part of ['Topic', 'Aim', 'Result', 'Who presents it?'])
    assert.match(lacking.text, new RegExp(part))
  const words = lacking.fill({
    Title: 'T',
    Aim: 'one two three',
    Result: 'four five six',
    'Affiliation 1': '',
  })
  const [radio] = words.document.getElementsByName('presenter')
  ;(radio as HTMLInputElement).checked = true
  ;(words.document.getElementById('author.0.family') as HTMLInputElement).value = 'Mei'
  const over = await words.press('Check and send…')
  assert.equal(over.status, 422)
  assert.match(over.text, /The text has 6 words, and may have 5\./)
  // It is kept all the same.
  assert.equal(
    (await at.visitor().open(over.path.replace('/send', ''))).field('Result').value,
    'four five six',
  )
  assert.deepEqual(await at.abstracts(), [])
})

test('rows are added, moved and removed by buttons, and the numbers of affiliations go with them', async t => {
  const at = await startSubmitting(t)
  let form: ReadPage = await at.openForm()
  const author = (row: number, part: string) =>
    form.document.getElementById(`author.${row}.${part}`) as HTMLInputElement
  form = await form.fill(whole).press('This is me')
  assert.deepEqual(
    [author(0, 'given').value, author(0, 'family').value, author(0, 'email').value],
    ['Lin', 'Mei', 'lin@example.org'],
  )
  form = await form.press('Add an author')
  author(1, 'family').value = 'Aristotle'
  author(1, 'affiliations').value = '2'
  form = await form.press('Add an affiliation')
  form = form.fill({ 'Affiliation 1': 'Lyceum', 'Affiliation 2': 'Academy' })
  form = await form.press('Move up: Author 2')
  assert.deepEqual([author(0, 'family').value, author(1, 'family').value], ['Aristotle', 'Mei'])
  form = await form.press('Remove: Affiliation 1')
  assert.equal(form.field('Affiliation 1').value, 'Academy')
  assert.equal(author(0, 'affiliations').value, '1')
  form = await form.press('Remove: Author 2')
  assert.equal(form.document.getElementById('author.1.family'), null)
  assert.deepEqual(await at.mails(), [])
})

test('an author named twice, the 101st author, the 31st affiliation and a number without one are told in words, in both languages', async t => {
  const at = await startSubmitting(t)
  for (const [language, check] of [
    ['en', 'Check and send…'],
    ['es', 'Comprobar y enviar…'],
  ] as const) {
    const rows = Array.from({ length: 30 }, (_, n) => [`affiliation.${n}`, [`Institute ${n}`]])
    const typed = {
      ...Object.fromEntries(rows),
      ...{
        'contact.name': ['Lin Mei'],
        title: ['On rooms'],
        text: ['They fill.'],
        language: ['en'],
        presenter: ['0'],
      },
      ...{ 'author.0.family': ['Mei'], 'author.1.family': ['MEI'], 'author.2.family': ['Wei'] },
      'author.2.affiliations': ['45'],
    }
    const draft = { typed, authors: 100, affiliations: 30 }
    const { own } = await at.beginOne({ draft, language, email: `${language}@example.org` })
    const page = await at.visitor().open(`${own}/edit`)
    const { misfits } = textsIn(language).calls
    for (const said of [misfits.authors(100), misfits.affiliations(30)])
      assert.ok(page.text.includes(said), said)
    assert.equal(page.document.querySelector('[value^="author.add"], [value^="affiliation.add"]'), null)
    const refused = await page.press(check)
    assert.equal(refused.status, 422)
    for (const said of [misfits.twice, misfits.authorAffiliation])
      assert.ok(refused.text.includes(said), said)
  }
})

test('the same form sent twice begins one, and sending twice sends one', async t => {
  const at = await startSubmitting(t)
  const form = fillWhole((await at.openForm()).fill(whole))
  const [one, other] = await Promise.all([form.press('Check and send…'), form.press('Check and send…')])
  assert.equal(one.path, other.path)
  await Promise.all([one.press('Send it'), other.press('Send it')])
  assert.equal((await at.abstracts()).length, 1)
  assert.deepEqual((await at.mails()).sort(), [
    'abstract_link lin@example.org',
    'abstract_received lin@example.org',
  ])
})

test('of two tabs the second learns what the first has saved, and keeps what stands in it by saving again', async t => {
  const at = await startSubmitting(t)
  const { own } = await at.beginOne()
  const [one, other] = [await at.visitor().open(`${own}/edit`), await at.visitor().open(`${own}/edit`)]
  await one.fill({ Title: 'From one' }).press('Save')
  const refused = await other.fill({ Title: 'From the other' }).press('Save')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /From one/)
  assert.equal(refused.field('Title').value, 'From the other')
  const saved = await refused.press('Save')
  assert.equal(saved.status, 200)
  assert.equal(saved.field('Title').value, 'From the other')
})

test('a preview that somebody has changed meanwhile is shown anew before it is sent', async t => {
  const at = await startSubmitting(t)
  const form = fillWhole((await at.openForm()).fill(whole))
  const check = await form.press('Check and send…')
  const edit = await at.visitor().open(check.path.replace(/\/send$/, '/edit'))
  await edit.fill({ Title: 'Another title' }).press('Save')
  const refused = await check.press('Send it')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Another title/)
  assert.deepEqual(await at.abstracts(), [])
  await refused.press('Send it')
  assert.equal((await at.abstracts())[0].title, 'Another title')
})

test('what was begun before the deadline is taken for ten minutes more, and then nothing is changed', async t => {
  const at = await startSubmitting(t)
  const { own } = await at.beginOne()
  at.clock.advance(14 * DAY - MINUTE)
  const edit = await at.visitor().open(`${own}/edit`)
  at.clock.advance(10 * MINUTE)
  const saved = await edit.fill({ Title: 'In time' }).press('Save')
  assert.doesNotMatch(saved.text, /over/)
  at.clock.advance(5 * MINUTE)
  const late = await edit.fill({ Title: 'Too late' }).press('Save')
  assert.notEqual(late.status, 200)
  assert.match(late.text, /The call for abstracts is over/)
  const call = await at.visitor().open(`${at.path}abstracts`)
  assert.match(call.text, /The call ended on/)
  assert.doesNotMatch(call.text, /Begin an abstract/)
  const none = await at.visitor().open(`${at.path}abstracts/new`)
  assert.match(none.text, /The call ended on/)
})

test('the mailed link leads to all of a person, where they confirm what is theirs and disown what is not', async t => {
  const at = await startSubmitting(t)
  const mine = await at.beginOne()
  await send(at, mine.submission.id, contentOf({ title: 'Mine' }))
  const forged = await at.beginOne({ name: 'Mallory' })
  await send(at, forged.submission.id, contentOf({ title: 'Buy now' }))
  const all = await at.visitor().open(mine.all)
  assert.match(all.text, /Mine/)
  assert.match(all.text, /Buy now/)
  // A GET, which scanners of mails make too, has confirmed nothing.
  const doubtful = await at.db.read(at.accountId, tx => submissions.get(tx, mine.submission.id))
  assert.deepEqual([doubtful.submitter.is_confirmed, doubtful.submission.is_confirmed], [false, false])
  const which = `${mine.all}/not-mine?submission=${forged.submission.id}`
  const asked = await at.visitor().open(which)
  assert.match(asked.text, /Buy now/)
  const after = await asked.press('I did not submit it')
  assert.match(after.text, /Withdrawn/)
  assert.deepEqual(
    (await at.abstracts()).map(({ title }: { title: string }) => title),
    ['Mine'],
  )
  await after.press('Yes, all of it is mine')
  const known = await at.db.read(at.accountId, tx => submissions.get(tx, mine.submission.id))
  assert.deepEqual([known.submitter.is_confirmed, known.submission.is_confirmed], [true, true])
})

test('a link of another person, purpose or version leads nowhere, and neither does a guess', async t => {
  const at = await startSubmitting(t)
  const { submission, submitter, own, all } = await at.beginOne()
  const stranger = await at.beginOne({ email: 'else@example.org' })
  const of = (purpose: 'submission' | 'submitter' | 'order', id: string, version = 1) =>
    linkSecret(at.server.secret, purpose, { id, version })
  const lost = [
    `${ABSTRACTS_PATH}/${of('submitter', submission.id)}`,
    `${ABSTRACTS_PATH}/${of('order', submission.id)}`,
    `${ABSTRACTS_PATH}/${of('submission', submission.id, 2)}`,
    `${ABSTRACTS_PATH}/${of('submission', submitter.id)}`,
    `${SUBMITTERS_PATH}/${of('submission', submitter.id)}`,
    `${SUBMITTERS_PATH}/${of('submitter', submission.id)}`,
    `${ABSTRACTS_PATH}/${'A'.repeat(46)}`,
    `${own}/nothing`,
    `${stranger.all}/not-mine?submission=${submission.id}`,
    `${all}/not-mine`,
  ]
  for (const path of lost) assert.equal((await at.visitor().open(path)).status, 404, path)
  assert.equal((await at.visitor().open(own)).status, 200)
})

test('asking for the link again says the same to everybody, and mails whoever has begun something', async t => {
  const at = await startSubmitting(t)
  await begin(at)
  const ask = async (email: string) => {
    const form = await at.visitor().open(`${at.path}abstracts/link`)
    at.clock.advance(2 * SECOND)
    return (await form.fill({ 'Your e-mail': email }).press('Send the link')).text.replaceAll(email, '…')
  }
  assert.equal(await ask('lin@example.org'), await ask('nobody@example.org'))
  assert.deepEqual(await at.mails(), ['abstract_link lin@example.org', 'abstract_link lin@example.org'])
})

test('the page of an event says where its call stands, also where nothing but time passes', async t => {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const now = sale.clock()
  await openCall(sale, { opens_at: now + DAY, closes_at: now + 2 * DAY, zone: 'Etc/GMT+12' })
  await sale.change({})
  const read = async () => (await sale.visitor().open(sale.path)).text
  const before = await read()
  assert.match(before, /Call for abstracts ?Abstracts are taken from [^.]+ on\. ?See what is asked for/)
  assert.doesNotMatch(before, /and submit|Deadline/)
  sale.clock.advance(DAY)
  assert.match(await read(), /Deadline: [^.]+ \(anywhere on earth\) ?See what is asked for, and submit/)
  // The minute of the deadline still counts.
  sale.clock.advance(DAY + MINUTE)
  const over = await read()
  assert.match(over, /The call ended on [^.]+ \(anywhere on earth\)\..*To the call for abstracts/)
  assert.doesNotMatch(over, /and submit/)
})

test('an event without a call, or that shows no abstracts, has none of its pages', async t => {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const { path, visitor } = sale
  assert.equal((await visitor().open(`${path}abstracts`)).status, 404)
  assert.doesNotMatch((await visitor().open(path)).text, /Call for abstracts/)
  await openCall(sale)
  // The server sees it a moment later, or with its own next commit.
  await sale.change({})
  const found = await (await visitor().open(path)).follow('See what is asked for, and submit')
  assert.equal(found.heading, 'Call for abstracts: Spring Meeting')
  assert.equal((await visitor().open(`${path}abstracts`)).status, 200)
  await sale.change({ takes_abstracts: false })
  for (const page of ['abstracts', 'abstracts/new', 'abstracts/link'])
    assert.equal((await visitor().open(`${path}${page}`)).status, 404, page)
})

test('a form that came too soon, or fills in what people do not see, begins nothing', async t => {
  const at = await startSubmitting(t)
  const form = await at.visitor().open(`${at.path}abstracts/new`)
  const soon = await form.fill(whole).press('Save')
  assert.equal(soon.status, 422)
  at.clock.advance(2 * SECOND)
  ;(soon.document.getElementById('website') as HTMLInputElement).value = 'https://spam.example/'
  const trapped = await soon.press('Save')
  assert.equal(trapped.status, 422)
  assert.deepEqual(await at.mails(), [])
})
