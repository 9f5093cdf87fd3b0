import { DEFAULT_CURRENCY, DEFAULT_TIMEZONE, NO_SERVICE_FEE } from '../accounts/rules.ts'
import { isReserved, RECEIPT_DEFAULTS } from '../accounts/schemas.ts'
import type { AccountRow } from '../accounts/store.ts'
import type { EventRow } from '../events/store.ts'
import { newUuid } from '../ids.ts'
import type { EndpointRow } from '../webhooks/endpoint-store.ts'
import { newEndpointSecret } from '../webhooks/endpoints.ts'
import type { Current } from './current.ts'
import type { Doubts } from './doubts.ts'
import { Places } from './places.ts'
import { type PlannedEvent, planEvent } from './plan-event.ts'
import { type PlannedReceipt, planReceipts } from './plan-receipts.ts'
import { type Planned, planRow } from './plan-row.ts'
import { Refusals } from './refusals.ts'
import type { Organization } from './schema.ts'

/** Everything that a file asks of a database, decided before anything is written. */
export interface Plan {
  account: Planned<AccountRow>
  events: PlannedEvent[]
  webhooks: Planned<EndpointRow>[]
  receipts: PlannedReceipt[]
}

export interface PlanOptions {
  /** Of each event, if the file is a part of another. */
  parts?: readonly EventPart[] | undefined
  /** What is wrong with that one already. */
  refusals?: Refusals | undefined
  /** Completes the fees and refunds of registrations that a file brought. */
  updateHistory?: boolean | undefined
}

export interface EventPart {
  places: Places
  /** Where there are faults: what is planned is of no use then. */
  doubts?: Doubts | undefined
}

/**
 * Compares a file with what is there. New rows get their ids, nothing is written.
 *
 * @param now milliseconds
 * @throws Problem invalid_parameter with the path of all that cannot be: a type or pool that would be oversold, an unknown type, a
 *   currency that has registrations, a slug of another account
 */
export function makePlan(
  current: Current,
  file: Organization,
  now: number,
  { parts, updateHistory = false, refusals = new Refusals(file) }: PlanOptions = {},
): Plan {
  const account = planAccount(current.account, file.account, now)
  refuseSlug(current, file.account.slug, refusals)
  const events = file.events.map((event, index) =>
    planEvent(current.events.get(event.slug), event, {
      places: parts?.[index]?.places ?? new Places(`events.${index}`, event),
      doubts: parts?.[index]?.doubts,
      account: account.row,
      moved: current.moved,
      now,
      updateHistory,
      refusals,
    }),
  )
  const plan = {
    account,
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
  current: AccountRow | undefined,
  file: Organization['account'],
  now: number,
): Planned<AccountRow> {
  const fee = file.service_fee
  return planRow(current, {
    id: current?.id ?? newUuid(),
    name: file.name,
    email: file.email,
    timezone: file.timezone ?? current?.timezone ?? DEFAULT_TIMEZONE,
    currency: file.currency ?? current?.currency ?? DEFAULT_CURRENCY,
    service_fee_basis_points:
      fee?.basis_points ?? current?.service_fee_basis_points ?? NO_SERVICE_FEE.basis_points,
    service_fee_per_ticket: fee?.per_ticket ?? current?.service_fee_per_ticket ?? NO_SERVICE_FEE.per_ticket,
    slug: kept(file.slug, current?.slug),
    legal_name: kept(file.legal_name, current?.legal_name),
    address: kept(file.address, current?.address),
    tax_id: kept(file.tax_id, current?.tax_id),
    imprint_url: kept(file.imprint_url, current?.imprint_url),
    privacy_url: kept(file.privacy_url, current?.privacy_url),
    receipt_prefix: kept(file.receipt_prefix, current?.receipt_prefix),
    receipt_years: file.receipt_years ?? current?.receipt_years ?? RECEIPT_DEFAULTS.receipt_years,
    tax_exemption: kept(file.tax_exemption, current?.tax_exemption),
    created_at: current?.created_at ?? now,
  })
}

/** What the file leaves out stays as it is; null takes it away. */
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
