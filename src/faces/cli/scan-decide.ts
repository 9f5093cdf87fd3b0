import type { Command } from 'commander'
import { instant, oneOf, uuid } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { Refusal } from '#base/refusal.ts'
import { type Database, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { recordedWrite, type WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import { runHere } from '#product/administration/jobs/run-here.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as many from '#product/entrance/check-ins/decide-many.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { withExistingDatabase } from './database.ts'
import { type CommonFlags, dataFlag, flag, jsonFlag, readFlag, required } from './flags.ts'
import { accountFlag, findEvent, readAccountName, readEventName } from './names.ts'
import { printJson, printTable, type Terminal } from './terminal.ts'

interface Flags extends CommonFlags {
  event: string
  account?: string
  device?: string
  from?: string
  to?: string
  all?: boolean
  dryRun?: boolean
}

/** Adds the command that decides about many scans at once, as the dashboard's page does. */
export function addDecide(scan: Command, terminal: Terminal): void {
  scan
    .command('decide')
    .description(
      'decide about many scans: count or dismiss what is held, or set conflicts aside, which is seen; killed, it goes on when it is run again',
    )
    .argument('<decision>', 'count, dismiss or seen')
    .addOption(required('--event <event>', 'the event: its slug or id'))
    .addOption(flag('--device <id>', 'of this door alone, as device list shows it'))
    .addOption(flag('--from <instant>', 'scanned from then on: a date and time with its offset'))
    .addOption(flag('--to <instant>', 'scanned before then, as --from'))
    .addOption(flag('--all', 'all there are; needed where neither a door nor a time is said'))
    .addOption(flag('--dry-run', 'say what would happen, by the same rules, and write nothing'))
    .addOption(accountFlag('the account that has the event'))
    .addOption(dataFlag())
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nExample:\n  $ turnout scan decide dismiss --event spring-meeting --device "$DEVICE" --dry-run',
    )
    .action(async (word: string, flags: Flags, command: Command) => {
      const decision = readFlag('<decision>', oneOf(many.manyDecisions), word)
      const name = readEventName(flags.event)
      const account = readAccountName(flags.account)
      const deviceId = flags.device === undefined ? undefined : readFlag('--device', uuid, flags.device)
      const readAt = (option: string, text: string | undefined) =>
        text === undefined ? undefined : readFlag(option, instant, text)
      const [from, to] = [readAt('--from', flags.from), readAt('--to', flags.to)]
      if (from !== undefined && to !== undefined && to <= from)
        throw new Problem('invalid_parameter', { message: '--to must be later than --from.' })
      if ([deviceId, from, to].every(each => each === undefined) && flags.all !== true)
        command.error('error: say which with --device, --from or --to, or add --all')
      await withExistingDatabase(flags, terminal.clock, async db => {
        const event = await db.read(INSTANCE, tx => findEvent(tx, name, account))
        const { accountId, id: eventId } = event
        if (deviceId !== undefined) await refuseOtherDevice(db, accountId, { eventId, deviceId })
        const choice = { eventId, decision, deviceId, from, to }
        const look = await many.previewDecision(db, accountId, choice)
        if (flags.dryRun === true) tellLook(terminal, flags, decision, look)
        else tellDone(terminal, flags, decision, await decide(db, accountId, choice, look))
      })
    })
}

/** @throws Problem not_found */
async function refuseOtherDevice(
  db: Database,
  accountId: string,
  { eventId, deviceId }: { eventId: string; deviceId: string },
): Promise<void> {
  const device = await db.read(accountId, tx => doors.get(tx, deviceId))
  if (device.event_id !== eventId) throw new Problem('not_found', { subject: deviceId })
}

interface Done {
  id: string
  scans: number
  outcomes: many.Counts
}

/** @throws Refusal if the work broke off */
async function decide(
  db: Database,
  accountId: string,
  choice: many.ManyScans,
  look: many.DecisionPreview,
): Promise<Done> {
  const actor = commandOn(accountId)
  const entry: WriteEntry<Job> = {
    ...{ action: 'scans.decide', targetType: 'job', targetOf: ({ id }) => id },
    details: (_, job) => ({ event_id: choice.eventId, scans: job?.total, ...job?.input }),
  }
  const work = (tx: WriteTx) => many.start(tx, choice, { look, by: actor.who })
  const { id } = await recordedWrite(db, actor, work, entry)
  const { state, done, outcome } = await runHere(db, accountId, id, many.decideMany)
  if (state === 'failed') throw new Refusal('It broke off. Run it again to go on.')
  return { id, scans: done, outcomes: outcome as unknown as many.Counts }
}

function tellLook(
  terminal: Terminal,
  { json }: Flags,
  decision: many.ManyDecision,
  look: many.DecisionPreview,
): void {
  const { scans, outcomes, tickets, others, isMore } = look
  if (json) {
    printJson(terminal, { decision, dry_run: true, scans, outcomes, tickets, others, more: isMore })
    return
  }
  terminal.out(`Would be decided: ${tellCounts(scans, outcomes)}${isMore ? ' And more.' : ''}\n`)
  if (tickets.length === 0) return
  printTable(
    terminal,
    ['TICKET', 'TYPE', 'DOOR', 'SCANS', 'WOULD BE'],
    tickets.map(({ ticket, door, scans: count, outcomes: of }) => [
      ...[ticket?.name ?? null, ticket?.registration_type_name ?? null, door, String(count)],
      listOf(of),
    ]),
  )
  if (others > 0) terminal.out(`And of ${others} more tickets.\n`)
}

function tellDone(terminal: Terminal, { json }: Flags, decision: many.ManyDecision, done: Done): void {
  const { id, scans, outcomes } = done
  if (json) printJson(terminal, { decision, dry_run: false, job_id: id, scans, outcomes })
  else terminal.out(`Decided: ${tellCounts(scans, outcomes)}\n`)
}

function tellCounts(scans: number, outcomes: many.Counts): string {
  return scans === 0 ? '0 scans.' : `${scans} scans: ${listOf(outcomes)}.`
}

function listOf(outcomes: many.Counts): string {
  return Object.entries(many.onlySome(outcomes))
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
}
