import * as accounts from '../accounts/store.ts'
import type { ReadTx } from '../db/port.ts'
import type { Clock } from '../time.ts'
import { type Current, NOTHING, readCurrent } from './current.ts'
import { makePlan } from './plan.ts'
import { checkForm } from './read.ts'
import type { Refusals } from './refusals.ts'
import { ENOUGH_FAULTS, type Organization } from './schema.ts'
import { findSecondAccount } from './second-account.ts'
import { type SoundEvent, type SoundPart, soundPart } from './sound-part.ts'
import { findUnsafeWebhooks } from './webhook-addresses.ts'

interface ExamineOptions {
  clock: Clock
  /** Reads what there is: undefined if there is no database yet. */
  read: <Result>(work: (tx: ReadTx | undefined) => Promise<Result>) => Promise<Result>
  allowInsecureWebhooks?: boolean | undefined
  newAccount?: boolean | undefined
  updateHistory?: boolean | undefined
}

/**
 * Refuses a file with everything that is wrong with it: its form, what contradicts itself, addresses that nothing may be sent to,
 * and what the database has against those of its parts that are well-formed. What only the database has against it, the plan
 * of `applyFile` finds.
 *
 * @throws Problem invalid_parameter, as `Refusals` has it
 */
export async function examineOrganization(input: unknown, options: ExamineOptions): Promise<Organization> {
  const form = checkForm(input)
  const { refusals } = form
  // A file may have millions: the first of them are enough to mend.
  if (refusals.count >= ENOUGH_FAULTS) refusals.throwAny()
  const part = soundPart(form)
  await findUnsafeWebhooks(part.urls, options.allowInsecureWebhooks ?? false, refusals)
  try {
    await findConflicts(part, options, refusals)
  } finally {
    // Also where the database cannot be read.
    refusals.throwAny()
  }
  return form.file as Organization
}

async function findConflicts(
  part: SoundPart,
  { clock, read, newAccount, updateHistory }: ExamineOptions,
  refusals: Refusals,
): Promise<void> {
  if (refusals.count === 0 && newAccount) return
  const current = await read(tx => readFor(tx, part, newAccount ?? false, refusals))
  if (current === undefined) return
  // Without its slug an event may be any that the account has.
  const events = current.account === undefined ? part.events : part.events.filter(({ hasSlug }) => hasSlug)
  makePlan(current, fileOf(part, events), clock(), { updateHistory, parts: events, refusals })
}

/** @returns undefined where nothing more is found, or nothing that does not follow from what was found before */
async function readFor(
  tx: ReadTx | undefined,
  part: SoundPart,
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

function fileOf({ account }: SoundPart, events: readonly SoundEvent[]): Organization {
  return { account, events: events.map(({ file }) => file), webhooks: [], receipts: [] }
}
