import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { PostButton } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { ManyDecision } from '#product/entrance/check-ins/decide-many.ts'
import type { ScanCase } from '#product/entrance/check-ins/scan-cases.ts'
import type { ScanList } from '#product/entrance/check-ins/scan-log.ts'
import { mayDecide } from './door-parts.tsx'
import { nameOf, type Row } from './scan-rows.ts'

/** Shows the actions for several scans of one ticket at one door. Each leads to a page that first says what would happen. */
export function ActionsOfMany({ row, of, request }: { row: Row; of: ScanCase; request: EventRequest }) {
  const { event, voice } = request
  const { doors: texts } = voice.texts
  const [name, door] = [nameOf(row, voice), of.door ?? texts.elsewhere]
  const decide = (decision: ManyDecision) => withQuery(paths.decideScans(event.id), { decision, case: of.id })
  const each = withQuery(paths.scans(event.id), { show: of.outcome, case: of.id })
  const isHeld = of.outcome === 'held'
  return (
    <span class="row">
      {mayDecide(request) && isHeld && (
        <>
          <a class="button" href={decide('count')} aria-label={texts.admitManyOf(name, door)}>
            {texts.admitMany}
          </a>
          <a class="button plain" href={decide('dismiss')} aria-label={texts.dismissManyOf(name, door)}>
            {texts.dismissMany}
          </a>
        </>
      )}
      {mayDecide(request) && !isHeld && (
        <a class="button" href={decide('seen')} aria-label={texts.seeManyOf(name, door)}>
          {texts.seeMany}
        </a>
      )}
      <a class="button plain" href={each} aria-label={texts.eachOf(name, door)}>
        {texts.each}
      </a>
    </span>
  )
}

interface ActionsProps {
  row: Row
  show: ScanList
  caseId: string | undefined
  request: EventRequest
}

export function Actions({ row, show, caseId, request }: ActionsProps) {
  const { event, voice } = request
  const { texts, format } = voice
  const { id, kind, outcome, seen_at: seen, scanned_at } = row
  const [name, when] = [nameOf(row, voice), format.dayTime(scanned_at)]
  const path = (what: 'undo' | 'admit' | 'dismiss' | 'seen') => paths.ofScan(event.id, id, what)
  const fields = { show, ...(caseId !== undefined && { case: caseId }) }
  const decides = mayDecide(request)
  if (outcome === 'held') {
    if (!decides) return null
    return (
      <span class="row">
        <PostButton action={path('admit')} fields={fields} label={texts.doors.admitOf(name, when)}>
          {texts.doors.admit}
        </PostButton>
        <PostButton
          action={path('dismiss')}
          fields={fields}
          tone="plain"
          label={texts.doors.dismissOf(name, when)}
        >
          {texts.doors.dismiss}
        </PostButton>
      </span>
    )
  }
  if (kind === 'undo' || (outcome !== 'admitted' && outcome !== 'conflict' && outcome !== 'left')) return null
  if (outcome === 'conflict' && !decides) return null
  return (
    <span class="row">
      {outcome === 'conflict' && seen === null && (
        <PostButton action={path('seen')} fields={fields} label={texts.doors.seenOf(name, when)}>
          {texts.doors.seen}
        </PostButton>
      )}
      <a class="button plain" href={path('undo')} aria-label={texts.doors.undoOf(name, when)}>
        {texts.doors.undo}
      </a>
    </span>
  )
}
