import type { Plan } from './plan.ts'

/**
 * Describes the outcome of `apply` or of its dry run, which is its `--json` document. A dry run has null for each id that it
 * would make.
 */
export interface Report<Id = string> {
  account_id: Id
  created: number
  updated: number
  kept: number
  /** One line for each change, such as `created event spring-meeting`. */
  changes: string[]
  /** One line for each order, registration, waitlist entry, abstract, person or programme that differs from the database, which keeps its own. */
  differences: string[]
  /** The events by slug, with their contents by name, reference or code. */
  events: Record<string, EventReport<Id>>
  /** The webhooks by URL. */
  webhooks: Record<string, { id: Id; secret: Id }>
}

interface EventReport<Id> {
  id: Id
  registration_types: Record<string, Id>
  registrations: Record<string, Id>
  abstracts: Record<string, Id>
}

type Change = 'created' | 'updated' | 'kept'

/** Counts the items of a plan and collects their lines. */
class Tally {
  readonly counts = { created: 0, updated: 0, kept: 0 }
  readonly changes: string[] = []
  readonly differences: string[] = []

  count(change: Change, what: string, fields: readonly string[] = []): void {
    this.counts[change]++
    if (change !== 'kept')
      this.changes.push(`${change} ${what}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`)
  }

  compare(what: string, differs: readonly string[], completable?: readonly string[]): void {
    if (differs.length === 0) return
    const hint = completable?.length ? ` (--update-history completes ${completable.join(', ')})` : ''
    this.differences.push(
      `${what} keeps ${differs.join(', ')} as in the database: the file says otherwise${hint}`,
    )
  }
}

type Identify<Id> = (change: Change, value: string) => Id

/**
 * Describes a plan.
 *
 * @param identify returns what the report shows for an id or a secret of the plan
 */
export function describePlan<Id>(plan: Plan, identify: Identify<Id>): Report<Id> {
  const tally = new Tally()
  const { account } = plan
  tally.count(account.change, `account ${account.row.email}`, account.fields)
  for (const { change, row, fields } of plan.series) tally.count(change, `series ${row.slug}`, fields)
  const events = table<EventReport<Id>>()
  for (const event of plan.events) events[event.row.slug] = describeEvent(event, identify, tally)
  for (const { change, item } of plan.receipts) {
    tally.count(change, `${item.kind === 'receipt' ? 'receipt' : 'credit note'} ${item.snapshot.number}`)
  }
  const webhooks = table<{ id: Id; secret: Id }>()
  for (const { change, row, fields } of plan.webhooks) {
    tally.count(change, `webhook ${row.url}`, fields)
    webhooks[row.url] = { id: identify(change, row.id), secret: identify(change, row.secret) }
  }
  return {
    account_id: identify(account.change, account.row.id),
    ...tally.counts,
    changes: tally.changes,
    differences: tally.differences,
    events,
    webhooks,
  }
}

function describeEvent<Id>(
  event: Plan['events'][number],
  identify: Identify<Id>,
  tally: Tally,
): EventReport<Id> {
  const { slug } = event.row
  // The file names the series by its slug.
  const fields = event.fields.map(field => (field === 'series_id' ? 'series' : field))
  tally.count(event.change, `event ${slug}`, fields)
  const report = {
    id: identify(event.change, event.row.id),
    registration_types: table<Id>(),
    registrations: table<Id>(),
    abstracts: table<Id>(),
  }
  for (const [name, type] of event.types) {
    if (type.path === undefined) continue
    tally.count(type.change, `registration type ${name} of ${slug}`, type.fields)
    report.registration_types[name] = identify(type.change, type.row.id)
  }
  for (const { change, row, path, fields } of event.pools) {
    if (path !== undefined) tally.count(change, `shared capacity ${row.name} of ${slug}`, fields)
  }
  for (const { change, row, fields } of event.emailTexts) {
    tally.count(change, `text of ${row.kind} in ${row.language} of ${slug}`, fields)
  }
  for (const { change, row, fields } of event.questions)
    tally.count(change, `question ${row.key} of ${slug}`, fields)
  for (const { change, row, fields } of event.codes)
    tally.count(change, `code ${row.code} of ${slug}`, fields)
  for (const [what, planned] of [
    ['call for abstracts', event.call],
    ['review', event.review],
  ] as const)
    if (planned !== undefined) tally.count(planned.change, `${what} of ${slug}`, planned.fields)
  for (const { change, item, differs } of event.orders) {
    const what = `order ${item.reference} of ${slug}`
    tally.count(change, what)
    tally.compare(what, differs)
  }
  for (const { change, id, item, differs, completion, completable } of event.registrations) {
    const what = `registration ${item.reference} of ${slug}`
    tally.count(change, what, completion?.fields)
    tally.compare(what, differs, completable)
    report.registrations[item.reference] = identify(change, id)
  }
  for (const { change, item, differs } of event.waitlist) {
    const what = `waiting entry ${item.reference} of ${slug}`
    tally.count(change, what)
    tally.compare(what, differs)
  }
  for (const { change, item, differs } of event.reviewers) {
    const what = `reviewer ${item.reference} of ${slug}`
    tally.count(change, what)
    tally.compare(what, differs)
  }
  for (const { change, id, item, differs } of event.abstracts) {
    const what = `abstract ${item.code} of ${slug}`
    tally.count(change, what)
    tally.compare(what, differs)
    report.abstracts[item.code] = identify(change, id)
  }
  for (const { change, item, differs, submissions } of event.submitters) {
    const what = `submitter ${item.reference} of ${slug}`
    tally.count(change, what)
    tally.compare(what, differs)
    for (const submission of submissions)
      tally.count(submission.change, lineOfSubmission(submission.item.reference, slug))
  }
  if (event.programme !== undefined) {
    const { change, differs } = event.programme
    tally.count(change, `programme of ${slug}`)
    tally.compare(`programme of ${slug}`, differs)
  }
  return report
}

/** Returns how a submission is called in a report. */
export function lineOfSubmission(reference: string, slug: string): string {
  return `submission ${reference} of ${slug}`
}

/** Returns a table without a prototype, because names and references may be any text, even `__proto__`. */
function table<Value>(): Record<string, Value> {
  return Object.create(null)
}
