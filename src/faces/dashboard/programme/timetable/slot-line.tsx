import type { ComponentChildren } from 'preact'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Pill } from '#machinery/web/components/parts.tsx'
import { presentingOf } from '#product/programme/timetable/people.ts'
import type { Slot } from '#product/programme/timetable/schemas.ts'

interface LineProps {
  slot: Slot
  /** How many warnings there are of it. */
  warned: number
  request: EventRequest
  /** What can be done with it. */
  children?: ComponentChildren
}

/** Shows a slot with its time. The script lets people drag it. */
export function SlotLine({ slot, warned, request, children }: LineProps) {
  const { event, voice } = request
  const { texts, format } = voice
  const { id, abstract, title, minutes, from, to } = slot
  return (
    <li id={`slot-${id}`} data-slot={id}>
      <span class="when">
        {minutes === 0 ? texts.timetable.poster : `${format.time(from)}–${format.time(to)}`}
      </span>{' '}
      {abstract === null ? (
        <bdi>{title}</bdi>
      ) : (
        <span>
          <a href={paths.abstract(event.id, abstract.id)}>
            <bdi class="quiet">{abstract.code}</bdi> <bdi>{abstract.title}</bdi>
          </a>{' '}
          <bdi class="quiet">{format.list(presentingOf(abstract.authors).map(({ name }) => name))}</bdi>
        </span>
      )}
      {warned > 0 && (
        <>
          {' '}
          <Pill tone="warn">{texts.timetable.marked}</Pill>
        </>
      )}
      {children}
    </li>
  )
}
