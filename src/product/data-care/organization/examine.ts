import type { Clock } from '#base/time.ts'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/store.ts'
import { ENOUGH_FAULTS } from './array-of.ts'
import { type Current, NOTHING, readCurrent } from './current.ts'
import { makePlan } from './plan.ts'
import { checkForm } from './read.ts'
import type { Refusals } from './refusals.ts'
import type { Organization } from './schema.ts'
import { findSecondAccount } from './second-account.ts'
import { type ValidEvent, type ValidPart, validPart } from './valid-part.ts'
import { findUnsafeWebhooks } from './webhook-addresses.ts'

interface ExamineOptions {
  clock: Clock
  /** Reads the database. It passes undefined if there is no database yet. */
  read: <Result>(work: (tx: InstanceReadTx | undefined) => Promise<Result>) => Promise<Result>
  allowInsecureWebhooks?: boolean | undefined
  newAccount?: boolean | undefined
  updateHistory?: boolean | undefined
}

/**
 * Refuses a file with everything that is wrong with it. It checks its form, its contradictions, the addresses that nothing may be
 * sent to, and how its well-formed parts fit the database. If only the database speaks against the file, the plan of `applyFile`
 * finds that.
 *
 * @throws Problem invalid_parameter, as `Refusals` has it
 */
export async function examineOrganization(input: unknown, options: ExamineOptions): Promise<Organization> {
  const form = checkForm(input)
  const { refusals } = form
  // A file may have millions of faults, and the first of them are enough to begin with.
  if (refusals.count >= ENOUGH_FAULTS) refusals.throwAny()
  const part = validPart(form)
  await findUnsafeWebhooks(part.urls, options.allowInsecureWebhooks ?? false, refusals)
  try {
    await findConflicts(part, options, refusals)
  } finally {
    // This also happens if the database cannot be read.
    refusals.throwAny()
  }
  return form.file as Organization
}

async function findConflicts(
  part: ValidPart,
  { clock, read, newAccount, updateHistory }: ExamineOptions,
  refusals: Refusals,
): Promise<void> {
  if (refusals.count === 0 && newAccount) return
  const current = await read(tx => readFor(tx, part, newAccount ?? false, refusals))
  if (current === undefined) return
  // An event without its slug may be any event of the account.
  const events = current.account === undefined ? part.events : part.events.filter(({ hasSlug }) => hasSlug)
  makePlan(current, fileOf(part, events), clock(), { updateHistory, parts: events, refusals })
}

/**
 * Reads what the database has for the file.
 *
 * @returns undefined if nothing more can be found, or nothing that does not follow from earlier faults
 */
async function readFor(
  tx: InstanceReadTx | undefined,
  part: ValidPart,
  newAccount: boolean,
  refusals: Refusals,
): Promise<Current | undefined> {
  if (tx === undefined) return refusals.count === 0 ? undefined : NOTHING
  if (!part.hasEmail) return (await accounts.list(tx)).length === 0 ? NOTHING : undefined
  const file = fileOf(
    part,
    part.events.filter(({ hasSlug }) => hasSlug),
  )
  if (!newAccount && (await findSecondAccount(tx, file, refusals))) return undefined
  return refusals.count === 0 ? undefined : readCurrent(tx, file)
}

function fileOf({ account, series }: ValidPart, events: readonly ValidEvent[]): Organization {
  return { account, series, events: events.map(({ file }) => file), webhooks: [], receipts: [] }
}
