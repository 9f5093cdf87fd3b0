import * as decisions from '../../checkins/scan-decisions.ts'
import * as scanLog from '../../checkins/scan-log.ts'
import { undoReason } from '../../checkins/schemas.ts'
import type { WriteTx } from '../../db/port.ts'
import { Problem } from '../../problem.ts'
import { Head } from '../../web/components/parts.tsx'
import { type Flash, flash } from '../../web/flash.ts'
import { textField } from '../../web/forms/field.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import type { OfEvent } from '../asked.ts'
import { button } from '../button.ts'
import { mayDecide, OF_DECISIONS, OF_DOORS } from '../door-parts.tsx'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { nameOf } from './scans.tsx'

/** Of a name in the cookie that tells what happened. */
const MAX_TOLD = 120

function toldName(scan: scanLog.LoggedScan, asked: OfEvent): string {
  return nameOf(scan, asked.voice).slice(0, MAX_TOLD).toWellFormed()
}

function isUndoable({ kind, outcome }: scanLog.LoggedScan): boolean {
  return kind === 'scan' && (outcome === 'admitted' || outcome === 'conflict')
}

/** Takes any scan back, with a reason. One that was admitted twice is for those who decide. */
export const undoScan = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/scans/{scan}/undo',
  load: async (tx, asked) => {
    const { account, event, params } = asked
    const scan = await scanLog.get(tx, account.id, params.scan ?? '', event.id)
    if (scan.outcome === 'conflict' && !mayDecide(asked)) throw new Problem('not_allowed')
    return scan
  },
  fields: () => ({
    reason: textField(undoReason, {
      label: texts => texts.checkIn.reason,
      help: texts => texts.checkIn.reasonHelp,
    }),
  }),
  seen: ({ outcome }) => outcome,
  view: (scan, asked, state) => {
    const { event, voice } = asked
    const { texts, format } = voice
    const back = paths.scans(event.id)
    const { door, scanned_at: at, ticket, outcome, holder } = scan
    const title = ticket === null ? texts.doors.undoTitleNobody : texts.doors.undoTitle(ticket.name)
    const facts = [ticket?.registration_type_name, door, format.dateTime(at)].filter(Boolean).join(' · ')
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={<a href={back}>{texts.doors.scans}</a>} />
          <div class="card stack">
            <p>
              <bdi>{facts}</bdi>
            </p>
            {isUndoable(scan) ? (
              <>
                {outcome === 'admitted' && <p>{texts.doors.undoThen}</p>}
                {outcome === 'conflict' && holder !== null && <p>{texts.doors.undoConflict}</p>}
                <Form
                  state={state}
                  texts={texts}
                  action={paths.ofScan(event.id, scan.id, 'undo')}
                  submit={texts.doors.undoSubmit}
                  leave={back}
                  isGuarded={false}
                />
              </>
            ) : (
              <p>{texts.doors.undoNothing}</p>
            )}
          </div>
        </>
      ),
    }
  },
  act: async (tx, { account, event }, { values: { reason }, loaded: { id } }) => ({
    ...(await decisions.undo(tx, account.id, { id, eventId: event.id }, reason)),
    reason,
  }),
  entry: ({ params }) => ({
    ...decisions.decisionEntry('undo', params.scan ?? ''),
    details: (_, done) => ({ ...decisions.detailsOf(done), reason: done?.reason }),
  }),
  next: ({ scan }, asked) => ({
    path: paths.scans(asked.event.id),
    flash: flash('scanUndone', { name: toldName(scan, asked) }),
  }),
})

type Decide = (
  tx: WriteTx,
  accountId: string,
  named: { id: string; eventId: string },
) => Promise<decisions.Decided>

function decision(
  what: 'admit' | 'dismiss' | 'seen',
  decide: Decide,
  told: (scan: scanLog.LoggedScan, name: string, asked: OfEvent) => Flash,
) {
  const back = ({ event }: OfEvent, body: URLSearchParams) => {
    const show = scanLog.scanLists.find(each => each !== 'all' && each === body.get('show'))
    return withQuery(paths.scans(event.id), { show })
  }
  return button('event', {
    ...OF_DECISIONS,
    path: `/e/{event}/doors/scans/{scan}/${what}`,
    act: (tx, { account, event, params }) =>
      decide(tx, account.id, { id: params.scan ?? '', eventId: event.id }),
    entry: ({ params }) => decisions.decisionEntry(what, params.scan ?? ''),
    next: ({ scan }, asked, _, body) => ({
      path: back(asked, body),
      flash: told(scan, toldName(scan, asked), asked),
    }),
    back,
  })
}

/** Lets a scan that is held count. */
export const admitScan = decision('admit', decisions.admitHeld, ({ outcome }, name) =>
  flash('scanCounts', { name, outcome }, { tone: outcome === 'conflict' ? 'warn' : 'good' }),
)

/** Has a scan that is held count for nothing; the button beside what it says takes that back. */
export const dismissScan = decision('dismiss', decisions.dismissHeld, ({ id }, name, { event }) =>
  flash('scanDismissed', { name }, { undo: paths.ofScan(event.id, id, 'admit') }),
)

/** Sets a conflict aside. */
export const seeScan = decision('seen', decisions.setAside, (_, name) => flash('scanSeen', { name }))
