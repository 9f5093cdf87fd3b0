import { newUuid } from '#base/ids.ts'
import {
  linkName,
  listDoubled,
  mergeLegal,
  NO_LEGAL_TEXTS,
  textName,
} from '#product/administration/accounts/legal.ts'
import { storeOrigins } from '#product/administration/accounts/origins.ts'
import { DEFAULT_CURRENCY, DEFAULT_TIMEZONE, NO_SERVICE_FEE } from '#product/administration/accounts/rules.ts'
import {
  isReserved,
  NO_FORGETTING,
  NO_SELLER,
  receiptDefaults,
  toldOf,
} from '#product/administration/accounts/schemas.ts'
import type { StoredAccount } from '#product/administration/accounts/store.ts'
import type { EndpointRow } from '#product/administration/webhooks/endpoint-store.ts'
import { newEndpointSecret } from '#product/administration/webhooks/endpoints.ts'
import type { EventRow } from '#product/catalog/events/store.ts'
import type { Current } from './current.ts'
import { type PlannedColour, planColour, withColour } from './look-items.ts'
import { Places } from './places.ts'
import { type PlannedEvent, planEvent } from './plan-event.ts'
import { type PlannedReceipt, planReceipts } from './plan-receipts.ts'
import { type Planned, planRow } from './plan-row.ts'
import { Refusals } from './refusals.ts'
import type { Organization } from './schema.ts'
import { type PlannedSeries, planSeries } from './series-items.ts'
import type { Uncertain } from './uncertain.ts'

/** Holds everything that a file asks of a database, decided before anything is written. */
export interface Plan {
  account: Planned<StoredAccount>
  accent: PlannedColour
  series: PlannedSeries[]
  events: PlannedEvent[]
  webhooks: Planned<EndpointRow>[]
  receipts: PlannedReceipt[]
}

export interface PlanOptions {
  /** The part of each event, if the file is a part of another. */
  parts?: readonly EventPart[] | undefined
  /** What is wrong with that file already. */
  refusals?: Refusals | undefined
  /** Completes the fees and refunds of registrations that a file brought. */
  updateHistory?: boolean | undefined
}

export interface EventPart {
  places: Places
  /** What is uncertain if there are faults. Then the plan is useless. */
  uncertain?: Uncertain | undefined
}

/**
 * Compares a file with the database. It gives new rows their ids, and writes nothing.
 *
 * @param now milliseconds
 * @throws Problem invalid_parameter with the path of all that is impossible: a type or pool that would be oversold, an unknown
 *   type, a currency that has registrations, a slug of another account
 */
export function makePlan(
  current: Current,
  file: Organization,
  now: number,
  { parts, updateHistory = false, refusals = new Refusals(file) }: PlanOptions = {},
): Plan {
  const accent = planColour(current.accent, file.account.accent)
  const account = withColour(planAccount(current.account, file.account, now), accent)
  refuseSlug(current, file.account.slug, refusals)
  refuseDoubled(file.account, refusals)
  const series = planSeries(current.series, file, now, refusals)
  const events = file.events.map((event, index) =>
    planEvent(current.events.get(event.slug), event, {
      places: parts?.[index]?.places ?? new Places(`events.${index}`, event),
      uncertain: parts?.[index]?.uncertain,
      account: account.row,
      series,
      slugsOfSeries: current.series.slugs,
      moved: current.moved,
      now,
      updateHistory,
      refusals,
    }),
  )
  const plan = {
    account,
    accent,
    series,
    events,
    webhooks: file.webhooks.map(webhook =>
      planWebhook(current.webhooks.get(webhook.url), webhook, account.row.id, now),
    ),
    receipts: planReceipts(current.receipts, file.receipts, events, refusals),
  }
  refusals.throwAny()
  return plan
}

function planAccount(
  current: StoredAccount | undefined,
  file: Organization['account'],
  now: number,
): Planned<StoredAccount> {
  const fee = file.service_fee
  const currency = file.currency ?? current?.currency ?? DEFAULT_CURRENCY
  const defaults = receiptDefaults(currency)
  const was = current ?? NO_FORGETTING
  const forgetAfter = file.forget_after_days === undefined ? was.forget_after_days : file.forget_after_days
  return planRow(current, {
    id: current?.id ?? newUuid(),
    name: file.name,
    email: file.email,
    timezone: file.timezone ?? current?.timezone ?? DEFAULT_TIMEZONE,
    currency,
    service_fee_basis_points:
      fee?.basis_points ?? current?.service_fee_basis_points ?? NO_SERVICE_FEE.basis_points,
    service_fee_per_ticket: fee?.per_ticket ?? current?.service_fee_per_ticket ?? NO_SERVICE_FEE.per_ticket,
    slug: kept(file.slug, current?.slug),
    legal_name: kept(file.legal_name, current?.legal_name),
    address: kept(file.address, current?.address),
    tax_id: kept(file.tax_id, current?.tax_id),
    ...mergeLegal(current ?? { ...NO_SELLER, ...NO_LEGAL_TEXTS }, file),
    receipt_prefix: kept(file.receipt_prefix, current?.receipt_prefix),
    receipt_years: file.receipt_years ?? current?.receipt_years ?? defaults.receipt_years,
    tax_exemption: kept(file.tax_exemption, current?.tax_exemption),
    invoice_from: file.invoice_from === undefined ? (current ?? defaults).invoice_from : file.invoice_from,
    embed_origins:
      file.embed_origins === undefined ? (current?.embed_origins ?? null) : storeOrigins(file.embed_origins),
    forget_after_days: forgetAfter,
    forget_told_at: toldOf(was, forgetAfter),
    created_at: current?.created_at ?? now,
  })
}

function refuseDoubled(file: Organization['account'], refusals: Refusals): void {
  for (const kind of listDoubled(file)) {
    refusals.add(
      `account.${textName(kind)}`,
      `stands beside ${linkName(kind)}, and only one of the two is kept`,
    )
  }
}

/** Returns the value that a field will have. What the file leaves out stays as it is, and null removes it. */
function kept(given: string | null | undefined, was: string | null | undefined): string | null {
  return given === undefined ? (was ?? null) : given
}

function refuseSlug(
  { slugOwner, account }: Current,
  slug: string | null | undefined,
  refusals: Refusals,
): void {
  if (slug && isReserved(slug)) refusals.add('account.slug', 'is a name that addresses of our own begin with')
  if (slugOwner !== account?.id && slugOwner !== undefined) {
    refusals.add('account.slug', 'is that of another account')
  }
}

function planWebhook(
  current: EndpointRow | undefined,
  file: Organization['webhooks'][number],
  accountId: EventRow['account_id'],
  now: number,
): Planned<EndpointRow> {
  const enabled = file.enabled === undefined ? current?.enabled : file.enabled ? 1 : 0
  return planRow(current, {
    id: current?.id ?? newUuid(),
    account_id: accountId,
    url: file.url,
    types: JSON.stringify(file.types),
    enabled: enabled ?? 1,
    secret: current?.secret ?? newEndpointSecret(),
    created_at: current?.created_at ?? now,
  })
}
