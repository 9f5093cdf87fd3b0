import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Database } from '#machinery/db/port.ts'
import { nameFile } from '#product/programme/abstracts/submitted.ts'
import { remove as removeFile } from '#product/programme/files/rules.ts'
import { assertRefused, commandLine } from '#test/faces/cli/turnout.ts'
import { damageOf, openDatabase } from '#test/support/engine.ts'
import { MIB } from '#test/support/files.ts'
import { countProgramme, erase, liveCall } from '#test/support/lived-call.ts'
import { organization } from '#test/support/organization.ts'

type Cli = ReturnType<typeof commandLine>

async function within<T>({ data, clock }: Cli, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(data, clock)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Makes a data folder with a call that was lived through, and its export with the files. */
async function lived(t: TestContext) {
  const cli = commandLine(t)
  const path = cli.write('first.json', organization({ event: { takes_abstracts: true } }))
  const { account_id: accountId, events } = await cli.json('apply', path)
  const eventId = events['spring-meeting'].id as string
  const place = { accountId, eventId, clock: cli.clock }
  const made = await within(cli, db => liveCall({ db, ...place }))
  const files = join(cli.folder, 'files')
  const text = await exported(cli, files)
  return { ...cli, ...place, made, files, text, file: cli.write('all.json', text) }
}

async function exported({ turnout, data }: Cli, files: string): Promise<string> {
  const { code, out, err } = await turnout('export', '--data', data, '--files', files)
  assert.deepEqual([code, err], [0, ''])
  return out
}

const bytesIn = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map(name => [name, readFileSync(join(folder, name)).toString('base64')])

test('who submits and reviews, with versions, drafts, files and reviews, is exported from an empty folder as the same text', async t => {
  const one = await lived(t)
  for (const flags of [[], ['--in-batches']]) {
    const other = commandLine(t)
    other.clock.set('2031-05-05T05:05:05.055Z')
    const applied = await other.json('apply', one.file, '--files', one.files, ...flags)
    const files = join(other.folder, 'files')
    assert.equal(await exported(other, files), one.text)
    assert.deepEqual(bytesIn(files), bytesIn(one.files))
    assert.deepEqual(await damageOf(other.data), [])
    const { emails: _, ...counts } = await within(one, countProgramme)
    assert.deepEqual(await within(other, countProgramme), { ...counts, emails: 0 })
    assert.ok(counts.abstract_files === 2 && counts.reviews === 4, JSON.stringify(counts))
    const [asked] = await within(other, db =>
      db.read(applied.account_id, tx =>
        tx.all<{ answered_at: number | null }>('SELECT answered_at FROM questions'),
      ),
    )
    assert.ok(asked?.answered_at, 'reviewers could be shown what was not written for them')
    assert.ok(applied.changes.some((line: string) => line.startsWith('created file of submission ')))
    const again = await other.json('apply', one.file, '--files', one.files, ...flags)
    assert.deepEqual([again.created, again.updated, again.changes, again.differences], [0, 0, [], []])
    assert.equal(again.kept, applied.created)
  }
})

test('an export that is applied to its own folder changes nothing, and says before what it would do elsewhere', async t => {
  const one = await lived(t)
  const again = await one.json('apply', one.file, '--files', one.files)
  assert.deepEqual([again.created, again.updated, again.changes, again.differences], [0, 0, [], []])
  const other = commandLine(t)
  const dry = await other.json('apply', one.file, '--files', one.files, '--dry-run')
  const { changes } = await other.json('apply', one.file, '--files', one.files)
  assert.deepEqual(dry.changes, changes)
})

test('an export has no secret by which anything of the call is reached, and says when files were left out', async t => {
  const one = await lived(t)
  const { out, err } = await one.turnout('export', '--data', one.data)
  assert.equal(err, '2 files of abstracts were left out. Add --files DIR to write them there.\n')
  const { events } = JSON.parse(out)
  assert.doesNotMatch(out, /sha256|secret|form_id/)
  assert.equal(events[0].submitters.length, 3)
  const forms = await within(one, db =>
    db.read(one.accountId, tx => tx.all<{ form_id: string }>('SELECT form_id FROM submissions')),
  )
  for (const { form_id } of forms) assert.ok(!one.text.includes(form_id))
  const other = commandLine(t)
  await other.json('apply', other.write('f.json', out))
  const { out: second, err: none } = await other.turnout('export', '--data', other.data)
  assert.deepEqual([second, none], [out, ''])
})

test('files that an organization file names come later too, and nobody gets one back that was taken away', async t => {
  const one = await lived(t)
  const other = commandLine(t)
  const { err } = await other.turnout('apply', one.file, '--data', other.data)
  assert.equal(
    err,
    'The file names 2 files of abstracts. Run it again with --files DIR to bring them from there.\n',
  )
  const { changes, created } = await other.json('apply', one.file, '--files', one.files)
  assert.deepEqual([created, changes.every((line: string) => line.startsWith('created file of '))], [2, true])
  const { account_id: accountId, events } = await other.json('apply', one.file, '--dry-run')
  const { id: eventId } = events['spring-meeting']
  await within(other, db =>
    db.write(accountId, async tx => {
      const [row] = await tx.all<{ id: string; abstract_id: string }>(
        'SELECT id, abstract_id FROM submissions WHERE abstract_id IS NOT NULL AND draft IS NOT NULL',
      )
      await removeFile(tx, eventId, row?.id as string)
      await nameFile(tx, row?.abstract_id as string, null)
    }),
  )
  const later = await other.json('apply', one.file, '--files', one.files)
  assert.deepEqual([later.created, later.changes], [0, []])
  // Also once nothing of it is left.
  await within(other, db =>
    db.write(accountId, tx =>
      tx.run(
        'UPDATE abstract_files SET submission_id = NULL, sha256 = NULL, replaced_at = NULL WHERE replaced_at IS NOT NULL AND event_id = $1',
        [eventId],
      ),
    ),
  )
  assert.equal((await other.json('apply', one.file, '--files', one.files)).created, 0)
})

test('whoever was made anonymous stays so when the file from before is applied again', async t => {
  const one = await lived(t)
  for (const email of ['lin@example.org', 'rosa@reviews.example'])
    await within(one, db => erase({ db, ...one }, email))
  const counts = await within(one, countProgramme)
  const again = await one.json('apply', one.file)
  assert.deepEqual([again.created, again.updated], [0, 0])
  assert.deepEqual(await within(one, countProgramme), counts)
  const { out } = await one.turnout('export', '--data', one.data)
  assert.doesNotMatch(out, /lin@example|rosa@reviews|On rooms\?/)
})

const NOT_PDF = Buffer.from('%PDX-1.7')

/** Spoils the first file of a folder in each way in turn, with what is said of it. */
const spoilings: [spoil: (path: string) => void, sentence: RegExp][] = [
  [path => rmSync(path), /file is not in .*spoilt: [0-9a-f]{64}\.pdf\.\n$/],
  [
    path => {
      renameSync(path, `${path}.real`)
      symlinkSync(`${path}.real`, path)
    },
    /file is no file in .*spoilt: [0-9a-f]{64}\.pdf\.\n$/,
  ],
  [
    path => {
      rmSync(path)
      mkdirSync(path)
    },
    /file is no file in /,
  ],
  [path => writeFileSync(path, ''), /file must be a PDF\.\n$/],
  [path => writeFileSync(path, NOT_PDF), /file must be a PDF\.\n$/],
  [path => writeFileSync(path, readFileSync(path).subarray(0, -8)), /file is a PDF without its end\.\n$/],
  [
    path => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('x')])),
    /file has other bytes in /,
  ],
  [
    path => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(11 * MIB)])),
    /file has a size of \d+ bytes, and \d+ are there\.\n$/,
  ],
]

test('a folder that has not each file whole and as it was is refused before anything is written, in one go', async t => {
  const one = await lived(t)
  const [name, second] = readdirSync(one.files) as [string, string]
  for (const [spoil, sentence] of spoilings) {
    const files = join(one.folder, 'spoilt')
    cpSync(one.files, files, { recursive: true })
    spoil(join(files, name))
    for (const mode of [[], ['--dry-run'], ['--in-batches']]) {
      const other = commandLine(t)
      const outcome = await other.turnout('apply', one.file, '--data', other.data, '--files', files, ...mode)
      assertRefused(outcome, sentence)
      assert.match(outcome.err, /^error: events\.0\.submitters\.\d\.submissions\.\d\.file /)
      assert.ok(!existsSync(other.data))
    }
    rmSync(files, { recursive: true })
  }
  rmSync(join(one.files, name))
  rmSync(join(one.files, second))
  const { code, err } = await one.turnout('apply', one.file, '--data', one.data, '--files', one.files)
  assert.deepEqual([code, err.match(/is not in/g)?.length], [1, 2], err)
})

test('an export leaves a file that is there, makes anew what is another, and follows no link', async t => {
  const one = await lived(t)
  const [name, second] = readdirSync(one.files) as [string, string]
  const before = statSync(join(one.files, name)).ino
  const victim = join(one.folder, 'victim')
  writeFileSync(victim, 'mine')
  const bytes = bytesIn(one.files)
  rmSync(join(one.files, second))
  symlinkSync(victim, join(one.files, second))
  assert.equal(await exported(one, one.files), one.text)
  assert.deepEqual([statSync(join(one.files, name)).ino, readFileSync(victim, 'utf8')], [before, 'mine'])
  assert.deepEqual(bytesIn(one.files), bytes)
})

/** Changes the first event of an export, with the place and the rest of the sentence that refuses it. */
const wrong: [change: (event: Event) => unknown, sentence: string][] = [
  [e => (first(e.submitters).email = second(e.submitters).email), 'submitters.1.email is there twice'],
  [
    e => (second(e.submitters).reference = first(e.submitters).reference),
    'submitters.1.reference is there twice',
  ],
  [
    e => (second(e.reviewers).reference = first(e.reviewers).reference),
    'reviewers.1.reference is there twice',
  ],
  [
    e =>
      (first(second(e.submitters).submissions).reference = first(first(e.submitters).submissions).reference),
    'submitters.1.submissions.0.reference is there twice',
  ],
  [
    e => (first(second(e.submitters).submissions).abstract = first(first(e.submitters).submissions).abstract),
    'submitters.1.submissions.0.abstract is there twice',
  ],
  [
    e => (first(first(e.submitters).submissions).abstract = 'none'),
    'submitters.0.submissions.0.abstract is "none", and the event has no abstract of that code',
  ],
  [
    e => (second(first(e.submitters).submissions).draft = null),
    'submitters.0.submissions.1.draft is required',
  ],
  [
    e => (first(first(e.submitters).submissions).draft.typed = { title: [7] }),
    'submitters.0.submissions.0.draft.typed must be what was typed, by the names of the fields',
  ],
  [
    e => (first(first(e.submitters).submissions).draft.typed = { title: ['x'.repeat(70_000)] }),
    'submitters.0.submissions.0.draft.typed must be what was typed, by the names of the fields',
  ],
  [
    e => (first(first(e.submitters).submissions).file.sha256 = '../../etc/passwd'),
    'submitters.0.submissions.0.file.sha256 must be a SHA-256 in 64 digits of 0-9 and a-f',
  ],
  [
    e => (first(first(e.submitters).submissions).file.size = 10 * MIB + 1),
    `submitters.0.submissions.0.file.size must be an integer from 1 to ${10 * MIB}`,
  ],
  [
    e => (first(e.submitters).submissions = []),
    'submitters.0.submissions must be an array of 1 to 120 items',
  ],
  [
    e => (first(e.submitters).submissions = Array(121).fill(first(first(e.submitters).submissions))),
    'submitters.0.submissions must be an array of 1 to 120 items',
  ],
  [e => (first(e.abstracts).title = 'Another'), 'abstracts.0.title is not what the newest revision says'],
  [e => delete first(e.abstracts).topic, 'abstracts.0.topic is not what the newest revision says'],
  [
    e => (first(first(e.abstracts).revisions).topic = 'Nope'),
    'abstracts.0.revisions.0.topic is "Nope", and the call has no topic of that name',
  ],
  [
    e => (first(e.abstracts).revisions = Array(51).fill(first(first(e.abstracts).revisions))),
    'abstracts.0.revisions must be an array of 0 to 50 items',
  ],
  [
    e => (first(first(first(e.abstracts).revisions).authors).affiliations = [0, 1]),
    'abstracts.0.revisions.0.authors.0.affiliations.1 must be an integer from 0 to 0',
  ],
  [
    e =>
      (first(first(e.abstracts).revisions).authors = Array(101).fill(
        first(first(first(e.abstracts).revisions).authors),
      )),
    'abstracts.0.revisions.0.authors must be an array of 1 to 100 items',
  ],
  [
    e => (first(first(e.abstracts).revisions).formulas = { $x$: ['script', {}, 'alert(1)'] }),
    'abstracts.0.revisions.0.formulas must be the MathML of formulas, as an export has it',
  ],
  [
    e => (first(first(e.abstracts).revisions).formulas = { $x$: nested(1_000) }),
    'abstracts.0.revisions.0.formulas must be the MathML of formulas, as an export has it',
  ],
  [
    e => (first(first(e.abstracts).reviews).reviewer = 'nobody'),
    'abstracts.0.reviews.0.reviewer is "nobody", of no reviewer that the event has',
  ],
  [
    e => (second(first(e.abstracts).reviews).reviewer = first(first(e.abstracts).reviews).reviewer),
    'abstracts.0.reviews.1.reviewer is there twice',
  ],
  [
    e => (first(first(e.abstracts).reviews).scores = [{ criterion: 'Beauty', score: 3 }]),
    'abstracts.0.reviews.0.scores.0.criterion is "Beauty", and the review has no criterion of that name',
  ],
  [
    e => (first(first(first(e.abstracts).reviews).scores).score = 6),
    'abstracts.0.reviews.0.scores.0.score must be an integer from 1 to 5',
  ],
  [
    e => (first(first(e.abstracts).reviews).returned = 'field'),
    'abstracts.0.reviews.0.done_at contradicts returned',
  ],
  [
    e => delete first(first(e.abstracts).reviews).recommendation,
    'abstracts.0.reviews.0.recommendation is required',
  ],
  [
    e => (first(e.reviewers).topics = ['Nope']),
    'reviewers.0.topics.0 is "Nope", and the call has no topic of that name',
  ],
  [
    e => (first(e.reviewers).conflicts = Array(31).fill('x')),
    'reviewers.0.conflicts must be an array of 0 to 30 items',
  ],
  [
    e => (first(e.abstracts).status = 'submitted'),
    'abstracts.0.decided_kind does not apply to an abstract that is submitted',
  ],
  [
    e => (first(e.abstracts).decided_kind = 'Nope'),
    'abstracts.0.decided_kind is "Nope", and the call has no kind of that name',
  ],
  [
    e => (first(e.abstracts).registration_code = 'NOPE'),
    'abstracts.0.registration_code is "NOPE", and the event has no such code',
  ],
  [
    e => (second(first(e.abstracts).revisions).answers = { nope: 'x' }),
    'abstracts.0.revisions.1.answers has "nope", and the event asks no such question of abstracts',
  ],
  [e => (first(e.abstracts).proposal.kind = 'Poster'), 'abstracts.0.proposal.kind contradicts decision'],
  [
    e => (first(e.abstracts).withdrawn_at = first(e.abstracts).submitted_at),
    'abstracts.0.proposal contradicts withdrawn_at',
  ],
  [
    e => {
      const [submitter] = e.submitters
      const draft = { ...submitter, submissions: [submitter.submissions[1]] }
      Object.assign(e, { call: undefined, abstracts: [], reviewers: [], submitters: [draft] })
    },
    'submitters are there without the call of the event',
  ],
  [e => delete e.review, 'reviewers are there without the review of the event'],
]

// biome-ignore lint/suspicious/noExplicitAny: a file may have anything
type Event = any
const first = (list: Event): Event => list[0]
const second = (list: Event): Event => list[1]
const nested = (depth: number): unknown => {
  let tree: unknown = ['mi', {}, 'x']
  for (let level = 0; level < depth; level++) tree = ['mrow', {}, tree]
  return tree
}

test('what contradicts itself, is too much or leads nowhere is told by its place, and nothing of it is written', async t => {
  const one = await lived(t)
  for (const [change, sentence] of wrong) {
    const file = JSON.parse(one.text)
    change(file.events[0])
    const other = commandLine(t)
    for (const mode of [[], ['--in-batches']]) {
      const { code, err } = await other.turnout(
        'apply',
        other.write('f.json', file),
        '--data',
        other.data,
        ...mode,
      )
      assert.equal(code, 1, sentence)
      assert.ok(err.includes(`events.0.${sentence}.\n`), `${sentence}: ${err.slice(0, 500)}`)
      assert.ok(!existsSync(other.data))
    }
  }
})

test('a file of other people changes nothing of those who are there', async t => {
  const one = await lived(t)
  const file = JSON.parse(one.text)
  const [event] = file.events
  for (const person of [...event.submitters, ...event.reviewers]) person.reference = `x-${person.reference}`
  for (const submission of event.submitters.flatMap((one: Event) => one.submissions))
    submission.reference += '-x'
  for (const abstract of event.abstracts)
    for (const review of abstract.reviews ?? []) review.reviewer = `x-${review.reviewer}`
  const again = await one.json('apply', one.write('other.json', file), '--files', one.files)
  // The anonymous have no e-mail that tells who they are.
  const { changes } = again
  assert.ok(
    changes.every((line: string) => /^created (reviewer|submitter) x-/.test(line)),
    changes.join('; '),
  )
})
