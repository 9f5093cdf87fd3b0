import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { readPages } from './pages.ts'
import { codesIn } from './plan-timetable.ts'
import * as store from './programme-store.ts'
import type { OrganizationEvent } from './schema.ts'

/** What the database has of one kind of people of an event. */
interface KnownPeople<Row> {
  byReference: ReadonlyMap<string, Row>
  /** By the key that compares e-mails. */
  byEmail: ReadonlyMap<string, Row>
  count: number
}

interface Person {
  id: string
  reference: string
  name: string
  email: string
  email_key: string
  language: string
  affiliation: string | null
}

/** What an event has of those whom a file names: who submits and reviews, and what was submitted. */
export interface CurrentPeople {
  reviewers: KnownPeople<Person>
  submitters: KnownPeople<Person>
  /** By reference. */
  submissions: ReadonlyMap<string, store.KnownSubmission>
  /** The abstracts that the submissions and the programme of the file name. */
  abstracts: readonly store.KnownAbstract[]
  /** How many submissions were sent, and how many begun. */
  sent: number
  begun: number
}

/** One read takes this many. */
const READ = 500

/** Reads what an event has. Of a file that names nobody, nothing is read. */
export async function readPeople(
  tx: ReadTx,
  eventId: string,
  file: OrganizationEvent,
): Promise<CurrentPeople> {
  const needsReviewers = file.reviewers.length > 0 || file.abstracts.some(({ reviews }) => reviews.length > 0)
  const needsSubmitters = file.submitters.length > 0
  const reviewers = await collect(needsReviewers, page => store.listReviewers(tx, eventId, page))
  const submitters = await collect(needsSubmitters, page => store.listSubmitters(tx, eventId, page))
  const submissions = await collect(needsSubmitters, page => store.listSubmissions(tx, eventId, page))
  const submitted = file.submitters.flatMap(({ submissions }) =>
    submissions.flatMap(({ abstract }) => abstract ?? []),
  )
  const placed = file.programme === undefined ? [] : codesIn(file.programme)
  const codes = [...new Set([...submitted, ...placed])]
  const sent = submissions.filter(({ abstract_id }) => abstract_id !== null).length
  return {
    reviewers: indexed(reviewers),
    submitters: indexed(submitters.map(row => ({ ...row, affiliation: null }))),
    submissions: new Map(submissions.map(row => [row.reference, row])),
    abstracts: await store.findAbstracts(tx, eventId, codes),
    sent,
    begun: submissions.length - sent,
  }
}

function indexed<Row extends Person>(rows: readonly Row[]): KnownPeople<Row> {
  return {
    byReference: new Map(rows.map(row => [row.reference, row])),
    byEmail: new Map(rows.map(row => [row.email_key, row])),
    count: rows.length,
  }
}

async function collect<Row extends Position>(
  isNeeded: boolean,
  readPage: (page: Page) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = []
  if (!isNeeded) return all
  for await (const rows of readPages(readPage, READ)) all.push(...rows)
  return all
}
