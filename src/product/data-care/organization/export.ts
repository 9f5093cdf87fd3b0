import type { Batches } from '#base/json-text.ts'
import { toIsoOrNull } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as ownTexts from '#machinery/mail/text-store.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as webhooks from '#product/administration/webhooks/endpoint-store.ts'
import * as codes from '#product/catalog/codes/store.ts'
import { readLayout } from '#product/catalog/events/badge-layout.ts'
import type { pageFields } from '#product/catalog/events/schemas.ts'
import * as events from '#product/catalog/events/store.ts'
import * as pools from '#product/catalog/registration-types/pools.ts'
import * as registrationTypes from '#product/catalog/registration-types/store.ts'
import * as questions from '#product/guests/questions/store.ts'
import { groupTexts } from './email-texts.ts'
import { exportOrders, exportReceipts, exportRegistrations, exportWaitlist, given } from './export-lists.ts'
import {
  exportAbstracts,
  exportReviewers,
  exportSubmitters,
  type KeepFile,
  namesOfChoices,
} from './export-programme.ts'
import { exportTimetable } from './export-timetable.ts'
import { exportColour } from './look-items.ts'
import { exportProgramme, readProgramme } from './programme-items.ts'
import { hasReceipts } from './receipt-store.ts'
import type { OrganizationInput } from './schema.ts'
import { exportSeries, exportSeriesOf } from './series-items.ts'

type EventInput = NonNullable<OrganizationInput['events']>[number]

/** A part of the file, of whose lists those that have no limit are read in batches. */
type InBatches<Part, Key extends keyof Part> = Omit<Part, Key> & {
  [Each in Key]: Batches<NonNullable<Part[Each]> extends readonly (infer Item)[] ? Item : never>
}

type ExportedEvent = Omit<
  InBatches<EventInput, 'orders' | 'registrations' | 'waitlist'>,
  'reviewers' | 'abstracts' | 'submitters' | 'programme'
> & {
  /** Items of these have lists in batches themselves. */
  reviewers?: Batches<object>
  abstracts: Batches<object>
  submitters?: Batches<object>
  programme?: object
}

export type ExportedOrganization = Omit<OrganizationInput, 'events' | 'receipts'> & {
  events: Batches<ExportedEvent>
  receipts?: Batches<NonNullable<OrganizationInput['receipts']>[number]>
}

/**
 * Exports the organization file of an account, from which `applyOrganization` makes the same organization. It contains no
 * secrets, so API keys and the keys of tickets and webhooks are made anew. It also lacks logos and the pictures of events, which
 * would be most of the file.
 *
 * @param keep writes the files of submissions beside it; without it they are left out
 * @returns the file for `writeJson`, whose lists are read from the transaction while they are written
 * @throws Problem not_found
 */
export async function exportOrganization(
  tx: ReadTx,
  keep?: KeepFile | undefined,
): Promise<ExportedOrganization> {
  const { name, email, timezone, currency, service_fee, ...details } = await accounts.getDetails(tx)
  const { slug, legal_name, address, tax_id, imprint_url, privacy_url, terms_url } = details
  const { receipt_prefix, receipt_years, tax_exemption, invoice_from, embed_origins, forget_after_days } =
    details
  const stated = {
    ...given({ slug, legal_name, address, tax_id, imprint_url, privacy_url, terms_url }),
    ...given(await accounts.getLegalTexts(tx)),
    ...given({ receipt_prefix, tax_exemption }),
    ...{ receipt_years, invoice_from },
    ...(await exportColour(tx, null)),
    ...(embed_origins.length === 0 ? {} : { embed_origins: [...embed_origins] }),
    ...(forget_after_days === null ? {} : { forget_after_days }),
  }
  const endpoints = await webhooks.list(tx)
  return {
    account: { name, email, timezone, currency, ...stated, service_fee },
    ...(await exportSeries(tx)),
    events: exportEvents(tx, keep),
    webhooks: endpoints.map(endpoint => ({
      url: endpoint.url,
      types: JSON.parse(endpoint.types),
      enabled: endpoint.enabled === 1,
    })),
    ...((await hasReceipts(tx)) ? { receipts: exportReceipts(tx) } : {}),
  }
}

async function* exportEvents(tx: ReadTx, keep: KeepFile | undefined): AsyncGenerator<ExportedEvent[]> {
  for (const event of await events.listByAccount(tx)) yield [await exportEvent(tx, event, keep)]
}

async function exportEvent(
  tx: ReadTx,
  event: events.EventRow,
  keep: KeepFile | undefined,
): Promise<ExportedEvent> {
  const types = await registrationTypes.listByEventOldestFirst(tx, event.id)
  const typeNames = new Map(types.map(({ id, name }) => [id, name]))
  const shared = await pools.listPools(tx, event.id)
  const ofEvent = await questions.listByEvent(tx, event.id)
  const coded = await codes.listByEvent(tx, event.id)
  // A type that was removed no longer has a name.
  const namesOf = (ids: string | null) =>
    ids === null
      ? null
      : types.filter(({ id }) => (JSON.parse(ids) as string[]).includes(id)).map(({ name }) => name)
  const texts = groupTexts(await ownTexts.list(tx, event.id))
  return {
    slug: event.slug,
    title: event.title,
    starts_at: toIsoOrNull(event.starts_at),
    ends_at: toIsoOrNull(event.ends_at),
    timezone: event.timezone,
    venue: event.venue,
    city: event.city,
    currency: event.currency,
    status: event.status,
    visibility: event.visibility,
    requires_approval: event.requires_approval === 1,
    description: event.description,
    ...exportPage(event),
    ...(await exportColour(tx, event.id)),
    ...(await exportSeriesOf(tx, event)),
    ...(texts === undefined ? {} : { email_texts: texts }),
    registration_types: types.map(exportType),
    pools: shared.map(pool => ({
      name: pool.name,
      capacity: pool.capacity,
      registration_types: types
        .filter(({ id }) => pool.registration_type_ids.includes(id))
        .map(type => type.name),
    })),
    questions: ofEvent.map(question => exportQuestion(question, namesOf)),
    codes: coded.map(code => exportCode(code, namesOf)),
    orders: exportOrders(tx, event),
    registrations: exportRegistrations(tx, event),
    waitlist: exportWaitlist(tx, event, typeNames),
    ...(await exportAllOfProgramme(tx, event.id, keep)),
  }
}

/** Exports the call, the review, the programme, and all that people have made for them. Who submits and reviews is there where there is a call. */
async function exportAllOfProgramme(tx: ReadTx, eventId: string, keep: KeepFile | undefined) {
  const programme = await readProgramme(tx, eventId)
  const names = namesOfChoices(programme)
  const timetable = await exportTimetable(tx, eventId)
  return {
    ...exportProgramme(programme),
    ...(programme.review === undefined ? {} : { reviewers: exportReviewers(tx, eventId, names) }),
    abstracts: exportAbstracts(tx, eventId, names),
    ...(programme.call === undefined ? {} : { submitters: exportSubmitters(tx, eventId, names, keep) }),
    ...(timetable === undefined ? {} : { programme: timetable }),
  }
}

type Item<List extends 'registration_types' | 'questions' | 'codes'> = NonNullable<EventInput[List]>[number]
type Names = (ids: string | null) => string[] | null

function exportType(type: registrationTypes.RegistrationTypeRow): Item<'registration_types'> {
  return {
    name: type.name,
    description: type.description,
    price: type.price,
    capacity: type.capacity,
    active: type.active === 1,
    sales_start: toIsoOrNull(type.sales_start),
    sales_end: toIsoOrNull(type.sales_end),
    valid_from: toIsoOrNull(type.valid_from),
    valid_until: toIsoOrNull(type.valid_until),
    position: type.position,
    min_per_order: type.min_per_order,
    max_per_order: type.max_per_order,
    hidden: type.hidden === 1,
    tax_basis_points: type.tax_basis_points,
    kind: type.kind,
    open_price: type.open_price === 1,
    entries: type.entries,
    reentry: type.reentry === 1,
  }
}

function exportQuestion(question: questions.QuestionRow, namesOf: Names): Item<'questions'> {
  return {
    key: question.key,
    label: question.label,
    help: question.help,
    kind: question.kind,
    choices: JSON.parse(question.choices),
    required: question.required === 1,
    asked_for: question.asked_for,
    for_reviewers: question.for_reviewers === 1,
    registration_types: namesOf(question.registration_type_ids),
    position: question.position,
    retired: question.retired_at !== null,
  }
}

function exportCode(code: codes.CodeRow, namesOf: Names): Item<'codes'> {
  return {
    code: code.code,
    percent: code.percent,
    amount: code.amount,
    registration_types: namesOf(code.registration_type_ids),
    valid_from: toIsoOrNull(code.valid_from),
    valid_until: toIsoOrNull(code.valid_until),
    max_tickets: code.max_tickets,
    active: code.active === 1,
    note: code.note,
  }
}

function exportPage(event: events.EventRow): Pick<EventInput, keyof typeof pageFields | 'archived_at'> {
  const { address, online_url, contact_email, terms, cancel_refund_basis_points } = event
  const { payment_days, waitlist_mode, waitlist_hours, reminder, approval_days } = event
  return {
    ...{ address, online_url, contact_email, terms },
    names_locked_at: toIsoOrNull(event.names_locked_at),
    cancel_until: toIsoOrNull(event.cancel_until),
    ...{ cancel_refund_basis_points, payment_days, waitlist_mode, waitlist_hours, reminder, approval_days },
    payment_ways: event.payment_ways,
    withdrawal_excluded: event.withdrawal_excluded === 1,
    decision_mails: event.decision_mails === 1,
    takes_abstracts: event.takes_abstracts === 1,
    give_on: event.give_on === 1,
    badge_layout: readLayout(event.badge_layout),
    archived_at: toIsoOrNull(event.archived_at),
  }
}
