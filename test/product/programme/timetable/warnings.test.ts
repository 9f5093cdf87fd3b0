import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR, MINUTE } from '#base/time.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import type { PlacedAbstract, Slot, TimedSession, Timetable } from '#product/programme/timetable/schemas.ts'
import { findWarnings, MOST_WARNINGS, type Warning } from '#product/programme/timetable/warnings.ts'

type Author = Abstract['authors'][number]

const NINE = Date.parse('2026-11-21T08:00:00Z')

function author(name: string, changes: Partial<Author> = {}): Author {
  const none = { email: null, affiliation: null, orcid: null, affiliations: [], presenting: true }
  return { name, ...none, ...changes }
}

function abstractBy(authors: Author[], changes: Partial<PlacedAbstract> = {}): PlacedAbstract {
  return {
    ...{
      id: 'a',
      code: 'A-1',
      title: 'T',
      status: 'accepted',
      authors,
      isWithdrawn: false,
      isUnconfirmed: false,
    },
    ...{ unavailable: [], topic_id: null, kind_id: null },
    contact: { name: 'Contact', email: 'contact@example.org', phone: null },
    ...changes,
  }
}

let ids = 0

/** A session from a minute after nine on, with abstracts of a quarter of an hour each. */
function session(
  from: number,
  abstracts: readonly PlacedAbstract[],
  changes: Partial<TimedSession> = {},
): TimedSession {
  const id = `s${++ids}`
  const starts_at = NINE + from * MINUTE
  const slots = abstracts.map((abstract, at): Slot => {
    const begin = starts_at + at * 15 * MINUTE
    const times = { minutes: 15, from: begin, to: begin + 15 * MINUTE }
    return { id: `${id}-${at}`, session_id: id, title: null, abstract, ...times }
  })
  return {
    ...{ id, event_id: 'e', title: id, about: null, room_id: null, chairs: [], slots },
    ...{ starts_at, ends_at: starts_at + HOUR },
    ...changes,
  }
}

const ROOMS = [
  { id: 'r1', name: 'Hall' },
  { id: 'r2', name: 'Attic' },
]

function warningsOf(
  sessions: readonly TimedSession[],
  known: { unregistered?: ReadonlySet<string>; timezone?: string } = {},
): Warning[] {
  const timetable: Timetable = { rooms: ROOMS, sessions }
  return findWarnings(timetable, {
    unregistered: new Set(),
    verdicts: [],
    timezone: 'Europe/Madrid',
    ...known,
  })
}

const kinds = (warnings: readonly Warning[]) => warnings.map(({ kind }) => kind)

test('nobody is in two places at once, nor has less than ten minutes from one room to another', () => {
  const ada = () => abstractBy([author('Ada')])
  const [hall, attic] = [{ room_id: 'r1' }, { room_id: 'r2' }]
  const at = (from: number, changes: Partial<TimedSession>) =>
    kinds(warningsOf([session(0, [ada()], hall), session(from, [ada()], changes)]))
  assert.deepEqual(at(14, attic), ['person'])
  assert.deepEqual(at(15, attic), ['walk'])
  assert.deepEqual(at(24, attic), ['walk'])
  assert.deepEqual(at(25, attic), [])
  // In one room, or without one, nobody walks.
  assert.deepEqual(at(15, { room_id: null }), [])
  assert.deepEqual(at(14, { room_id: null }), ['person'])
  // In one session nobody is elsewhere.
  assert.deepEqual(kinds(warningsOf([session(0, [ada(), ada()], hall)])), [])
  // Those who do not present may be anywhere.
  const silent = abstractBy([author('Bob'), author('Ada', { presenting: false })])
  assert.deepEqual(kinds(warningsOf([session(0, [ada()], hall), session(0, [silent], attic)])), [])
})

test('a chair is there through the whole session, and whoever presents beside it is in two places', () => {
  const chairs = [{ name: 'Ada', email: 'ADA@example.org' }]
  const talk = (changes: Partial<Author>) =>
    session(50, [abstractBy([author('Ada', changes)])], { room_id: 'r2' })
  const chaired = session(0, [], { room_id: 'r1', chairs })
  const [warning] = warningsOf([chaired, talk({ email: 'ada@example.org' })])
  assert.equal(warning?.kind, 'person')
  assert.ok(warning !== undefined && 'other' in warning)
  assert.deepEqual([warning.other.session_id, warning.other.slot_id], [chaired.id, null])
  // Of a chair no affiliation is known: the name alone counts where one of them has no e-mail.
  assert.deepEqual(kinds(warningsOf([chaired, talk({ affiliations: ['Anywhere'] })])), ['person'])
  assert.deepEqual(kinds(warningsOf([chaired, talk({ email: 'other@example.org' })])), [])
})

test('people are the same by ORCID iD, else by e-mail, else by folded name and first affiliation', () => {
  const clash = (one: Author, other: Author) =>
    warningsOf([session(0, [abstractBy([one])]), session(0, [abstractBy([other])])]).length === 1
  const [id, another] = ['0000-0002-1825-0097', '0000-0001-5109-3700']
  assert.ok(clash(author('Ada', { orcid: id }), author('A. Lovelace', { orcid: id })))
  assert.ok(!clash(author('Ada', { orcid: id }), author('Ada', { orcid: another })))
  assert.ok(clash(author('Ada', { orcid: id, email: 'a@x.org' }), author('Lady A', { email: 'A@x.org' })))
  assert.ok(!clash(author('Ada', { email: 'a@x.org' }), author('Ada', { email: 'b@x.org' })))
  assert.ok(clash(author('Zoë', { affiliations: ['Uni', 'Lab'] }), author('ZOE', { affiliations: ['UNI'] })))
  assert.ok(!clash(author('Zoë', { affiliations: ['Uni'] }), author('Zoë', { affiliations: ['Lab'] })))
  assert.ok(!clash(author('Zoë', { affiliations: ['Uni'] }), author('Zoë')))
  // Without any who presents, the first author does.
  const quiet = (name: string) => author(name, { presenting: false })
  assert.ok(clash(quiet('Ada'), quiet('Ada')))
})

test('a room is used once at a time', () => {
  const hall = { room_id: 'r1' }
  assert.deepEqual(kinds(warningsOf([session(0, [], hall), session(59, [], hall)])), ['room'])
  assert.deepEqual(kinds(warningsOf([session(0, [], hall), session(60, [], hall)])), [])
  assert.deepEqual(kinds(warningsOf([session(0, []), session(0, [])])), [])
  // A long one meets each of those within it.
  const long = session(0, [], { ...hall, ends_at: NINE + 5 * HOUR })
  assert.equal(warningsOf([long, session(60, [], hall), session(180, [], hall)]).length, 2)
})

test('slots are no longer than their session', () => {
  const five = Array.from({ length: 5 }, (_, at) => abstractBy([author(`Ada ${at}`)]))
  assert.deepEqual(warningsOf([session(0, five.slice(1))]), [])
  const long = session(0, five)
  assert.deepEqual(warningsOf([long]), [{ kind: 'long', session_id: long.id, slot_id: null, minutes: 15 }])
})

test('what was withdrawn, is not accepted any more, not confirmed, or of nobody with a ticket stays, and is marked', () => {
  const of = (changes: Partial<PlacedAbstract>) =>
    abstractBy([author('Ada', { email: 'ada@x.org' })], changes)
  const unregistered = new Set(['ada@x.org'])
  const found = (changes: Partial<PlacedAbstract>) =>
    kinds(warningsOf([session(0, [of(changes)])], { unregistered }))
  assert.deepEqual(found({}), ['unregistered'])
  assert.deepEqual(found({ isUnconfirmed: true }), ['unconfirmed', 'unregistered'])
  // Whoever does not come needs no ticket.
  assert.deepEqual(found({ isWithdrawn: true }), ['withdrawn'])
  assert.deepEqual(found({ status: 'rejected' }), ['not_accepted'])
  // The contact of the same name has the e-mail of a presenter without one.
  const known = abstractBy([author('Ada')], { contact: { name: 'ADA', email: 'ada@x.org', phone: null } })
  assert.deepEqual(kinds(warningsOf([session(0, [known])], { unregistered })), ['unregistered'])
})

test('a day that the presenter cannot come is one of the time zone of the event', () => {
  // In Madrid, this is from 0:15 to 0:30 of the 22nd.
  const late = (unavailable: string[]) =>
    session(15 * 60 + 15, [abstractBy([author('Ada')], { unavailable })])
  assert.deepEqual(kinds(warningsOf([late(['2026-11-22'])])), ['unavailable'])
  assert.deepEqual(kinds(warningsOf([late(['2026-11-21', '2026-11-23'])])), [])
  assert.deepEqual(kinds(warningsOf([late(['2026-11-21'])], { timezone: 'UTC' })), ['unavailable'])
})

test('two hundred talks of one person at once are told without end, but not without limit', () => {
  const many = Array.from({ length: 200 }, () => session(0, [abstractBy([author('Ada')])]))
  assert.equal(warningsOf(many).length, MOST_WARNINGS)
})
