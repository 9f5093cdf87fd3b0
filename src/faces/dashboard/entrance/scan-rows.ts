import { isUuid } from '#base/ids.ts'
import { unlessMissing } from '#base/problem.ts'
import type { Listed } from '#base/resource.ts'
import { type ActorNames, readActorNames } from '#faces/dashboard/frame/actors.ts'
import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as scanCases from '#product/entrance/check-ins/scan-cases.ts'
import * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import { countToLookAt, type ToLookAt } from './door-parts.tsx'

const PER_PAGE = 50

/** A scan. If no door made the check-in of its ticket, `actor` is who made it. It is null if nobody knows. */
export interface Row extends scanLog.LoggedScan {
  actor: string | null
  /** The case that the row stands for, if that has several scans. The row shows the first of them. */
  first: scanCases.ScanCase | null
}

export interface Loaded {
  show: scanLog.ScanList
  /** The case whose scans are shown one by one. It is undefined if the page shows the cases. */
  caseId: string | undefined
  rows: readonly Row[]
  next: string | undefined
  toLookAt: ToLookAt
  actors: ActorNames
}

/** Reads the page of scans that the address asks for. @throws Problem invalid_cursor */
export async function load(tx: ReadTx, request: EventRequest, { cursors }: Services): Promise<Loaded> {
  const { event, query } = request
  const wanted = query.get('show')
  const show = scanLog.scanLists.find(each => each === wanted) ?? 'all'
  const caseId = show === 'all' ? undefined : await findCase(tx, request)
  const scope = `scans ${event.id} ${show} ${caseId ?? ''}`
  const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, request) }
  const found = await listRows(tx, request, { show, caseId }, page)
  const rows: Row[] = []
  for (const { resource } of found.slice(0, PER_PAGE)) {
    const { ticket, holder, outcome } = resource
    const isMade = outcome === 'conflict' && ticket !== null && holder?.scan_id === null
    const done = { action: 'check_in.create', targetId: ticket?.id ?? '', at: Date.parse(holder?.at ?? '') }
    rows.push({ ...resource, actor: isMade ? await accessLog.findActor(tx, done) : null })
  }
  return {
    ...{ show, caseId, rows, next: toNext(cursors, scope, found, PER_PAGE) },
    toLookAt: await countToLookAt(tx, request),
    actors: rows.some(({ actor }) => actor !== null) ? await readActorNames(tx) : new Map(),
  }
}

/** Returns the case whose scans are asked for one by one, or undefined once somebody has looked at all of them. */
async function findCase(tx: ReadTx, { event, query }: EventRequest): Promise<string | undefined> {
  const id = query.get('case')
  if (id === null || !isUuid(id)) return undefined
  return (await unlessMissing(scanCases.get(tx, id, event.id)))?.id
}

/** Lists scans, or for decisions the cases by ticket and door. */
async function listRows(
  tx: ReadTx,
  { event }: EventRequest,
  { show, caseId }: Pick<Loaded, 'show' | 'caseId'>,
  page: Page,
): Promise<Listed<Omit<Row, 'actor'>>[]> {
  if (show === 'all' || caseId !== undefined) {
    const scans =
      caseId === undefined
        ? await scanLog.list(tx, event.id, show, page)
        : await scanLog.listOfCase(tx, caseId, page)
    return [...scans].map(({ position, resource }) => ({ position, resource: { ...resource, first: null } }))
  }
  const cases = await scanCases.list(tx, event.id, show, page)
  return cases.map(({ position, resource }) => ({
    position,
    resource: { ...resource.scan, first: resource.scans > 1 ? resource : null },
  }))
}

export function nameOf(
  { ticket, kind }: Pick<scanLog.LoggedScan, 'ticket' | 'kind'>,
  { texts }: Voice,
): string {
  // A box brings an undo without its scan if the scan counts for nothing.
  return ticket?.name ?? (kind === 'undo' ? texts.doors.ofNothing : texts.doors.noTicket)
}
