import type { Plan } from './plan.ts'

/** The outcome of `apply`, or of its dry run: its `--json` document. A dry run has null for each id it would make. */
export interface Report<Id = string> {
  account_id: Id
  created: number
  updated: number
  kept: number
  /** One line for each change: `created event spring-meeting`. */
  changes: string[]
  /** A line for each order, registration, waiting entry or abstract that the file has otherwise than the database, which keeps it as it is. */
  differences: string[]
  /** By slug, then by name, reference or code. */
  events: Record<string, EventReport<Id>>
  /** By URL. */
  webhooks: Record<string, { id: Id; secret: Id }>
}

interface EventReport<Id> {
  id: Id
  registration_types: Record<string, Id>
  registrations: Record<string, Id>
  abstracts: Record<string, Id>
}

type Change = 'created' | 'updated' | 'kept'

/** @param known what the report shows for an id or a secret of the plan */
export function describePlan<Id>(plan: Plan, known: (change: Change, value: string) => Id): Report<Id> {
  const counts = { created: 0, updated: 0, kept: 0 }
  const changes: string[] = []
  const differences: string[] = []
  const compare = (what: string, differs: readonly string[], completable?: readonly string[]) => {
    if (differs.length === 0) return
    const hint = completable?.length ? ` (--update-history completes ${completable.join(', ')})` : ''
    differences.push(`${what} keeps ${differs.join(', ')} as in the database: the file says otherwise${hint}`)
  }
  const count = (change: Change, what: string, fields: readonly string[] = []) => {
    counts[change]++
    if (change !== 'kept') {
      changes.push(`${change} ${what}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`)
    }
  }

  const { account } = plan
  count(account.change, `account ${account.row.email}`, account.fields)
  const events = table<EventReport<Id>>()
  for (const event of plan.events) {
    const { slug } = event.row
    count(event.change, `event ${slug}`, event.fields)
    const report = {
      id: known(event.change, event.row.id),
      registration_types: table<Id>(),
      registrations: table<Id>(),
      abstracts: table<Id>(),
    }
    for (const [name, type] of event.types) {
      if (type.path === undefined) continue
      count(type.change, `registration type ${name} of ${slug}`, type.fields)
      report.registration_types[name] = known(type.change, type.row.id)
    }
    for (const { change, row, path, fields } of event.pools) {
      if (path !== undefined) count(change, `shared capacity ${row.name} of ${slug}`, fields)
    }
    for (const { change, row, fields } of event.emailTexts) {
      count(change, `text of ${row.kind} in ${row.language} of ${slug}`, fields)
    }
    for (const { change, row, fields } of event.questions)
      count(change, `question ${row.key} of ${slug}`, fields)
    for (const { change, row, fields } of event.codes) count(change, `code ${row.code} of ${slug}`, fields)
    for (const { change, item, differs } of event.orders) {
      const what = `order ${item.reference} of ${slug}`
      count(change, what)
      compare(what, differs)
    }
    for (const { change, id, item, differs, completion, completable } of event.registrations) {
      const what = `registration ${item.reference} of ${slug}`
      count(change, what, completion?.fields)
      compare(what, differs, completable)
      report.registrations[item.reference] = known(change, id)
    }
    for (const { change, item, differs } of event.waitlist) {
      const what = `waiting entry ${item.reference} of ${slug}`
      count(change, what)
      compare(what, differs)
    }
    for (const { change, id, item, differs } of event.abstracts) {
      const what = `abstract ${item.code} of ${slug}`
      count(change, what)
      compare(what, differs)
      report.abstracts[item.code] = known(change, id)
    }
    events[slug] = report
  }
  for (const { change, item } of plan.receipts) {
    count(change, `${item.kind === 'receipt' ? 'receipt' : 'credit note'} ${item.snapshot.number}`)
  }
  const webhooks = table<{ id: Id; secret: Id }>()
  for (const { change, row, fields } of plan.webhooks) {
    count(change, `webhook ${row.url}`, fields)
    webhooks[row.url] = { id: known(change, row.id), secret: known(change, row.secret) }
  }
  return {
    account_id: known(account.change, account.row.id),
    ...counts,
    changes,
    differences,
    events,
    webhooks,
  }
}

/** Without a prototype, for names and references may be any text, `__proto__` too. */
function table<Value>(): Record<string, Value> {
  return Object.create(null)
}
