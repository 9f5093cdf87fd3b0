import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { type Flash, flash } from '#machinery/web/flash.ts'
import { textField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import * as decisions from '#product/entrance/check-ins/scan-decisions.ts'
import * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import { undoReason } from '#product/entrance/check-ins/schemas.ts'
import { mayDecide, OF_DECISIONS, OF_DOORS } from './door-parts.tsx'
import { nameOf } from './scan-rows.ts'

/** The most characters of a name in the cookie that tells what happened. */
const MAX_NAME = 120

function nameInFlash(scan: scanLog.LoggedScan, request: EventRequest): string {
  return nameOf(scan, request.voice).slice(0, MAX_NAME).toWellFormed()
}

function isUndoable({ kind, outcome }: scanLog.LoggedScan): boolean {
  return kind === 'exit'
    ? outcome === 'left'
    : kind === 'scan' && (outcome === 'admitted' || outcome === 'conflict')
}

/** Takes any scan back, with a reason. Only members who decide may take back a scan of a ticket that was admitted twice. */
export const undoScan = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/scans/{scan}/undo',
  load: async (tx, request) => {
    const { event, params } = request
    const scan = await scanLog.get(tx, params.scan ?? '', event.id)
    if (scan.outcome === 'conflict' && !mayDecide(request)) throw new Problem('not_allowed')
    return scan
  },
  fields: () => ({
    reason: textField(undoReason, {
      label: texts => texts.checkIn.reason,
      help: texts => texts.checkIn.reasonHelp,
    }),
  }),
  preview: ({ outcome }) => outcome,
  parts: (scan, { event, voice: { texts, format } }) => {
    const { doors: labels } = texts
    const { door, scanned_at: at, ticket, outcome, holder } = scan
    const facts = [ticket?.registration_type_name, door, format.dateTime(at)].filter(Boolean).join(' · ')
    const about = (
      <p>
        <bdi>{facts}</bdi>
      </p>
    )
    const nothing = (
      <div class="card stack">
        {about}
        <p>{labels.undoNothing}</p>
      </div>
    )
    return {
      ...{
        title: ticket === null ? labels.undoTitleNobody : labels.undoTitle(ticket.name),
        isOfPeople: true,
      },
      ...{ crumbs: labels.scans, leave: paths.scans(event.id) },
      ...{ submit: labels.undoSubmit, isGuarded: false },
      lead: (
        <>
          {about}
          {outcome === 'admitted' && <p>{labels.undoThen}</p>}
          {outcome === 'left' && <p>{labels.undoExit}</p>}
          {outcome === 'conflict' && holder !== null && <p>{labels.undoConflict}</p>}
        </>
      ),
      instead: isUndoable(scan) ? undefined : nothing,
    }
  },
  act: async (tx, { event }, { values: { reason }, loaded: { id } }) => ({
    ...(await decisions.undo(tx, { id, eventId: event.id }, reason)),
    reason,
  }),
  entry: ({ params }) => ({
    ...decisions.decisionEntry('undo', params.scan ?? ''),
    details: (_, done) => ({ ...decisions.detailsOf(done), reason: done?.reason }),
  }),
  next: ({ scan }, request) => ({
    path: paths.scans(request.event.id),
    flash: flash('scanUndone', { name: nameInFlash(scan, request) }),
  }),
})

type Decide = (tx: WriteTx, named: { id: string; eventId: string }) => Promise<decisions.Decided>

function decision(
  what: 'admit' | 'dismiss' | 'seen',
  decide: Decide,
  flashOf: (scan: scanLog.LoggedScan, name: string, request: EventRequest) => Flash,
) {
  const back = ({ event }: EventRequest, body: URLSearchParams) => {
    const show = scanLog.scanLists.find(each => each !== 'all' && each === body.get('show'))
    return withQuery(paths.scans(event.id), { show, case: body.get('case') ?? undefined })
  }
  return button('event', {
    ...OF_DECISIONS,
    path: `/e/{event}/doors/scans/{scan}/${what}`,
    act: (tx, { event, params }) => decide(tx, { id: params.scan ?? '', eventId: event.id }),
    entry: ({ params }) => decisions.decisionEntry(what, params.scan ?? ''),
    next: ({ scan }, request, _, body) => ({
      path: back(request, body),
      flash: flashOf(scan, nameInFlash(scan, request), request),
    }),
    back,
  })
}

/** Makes a held scan count. */
export const admitScan = decision('admit', decisions.admitHeld, ({ outcome }, name) =>
  flash('scanCounts', { name, outcome }, { tone: outcome === 'conflict' ? 'warn' : 'good' }),
)

/** Makes a held scan count for nothing. The undo button in the flash takes that back. */
export const dismissScan = decision('dismiss', decisions.dismissHeld, ({ id }, name, { event }) =>
  flash('scanDismissed', { name }, { undo: paths.ofScan(event.id, id, 'admit') }),
)

/** Sets a conflict aside. */
export const seeScan = decision('seen', decisions.setAside, (_, name) => flash('scanSeen', { name }))
