import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Tabs } from '#machinery/web/components/parts.tsx'

/** Links to the three pages about what is sold. */
export function TicketTabs({
  current,
  request: { event, voice },
}: {
  current: string
  request: EventRequest
}) {
  const { texts } = voice
  const tabs = [
    [paths.tickets(event.id), texts.tickets.tab],
    [paths.codes(event.id), texts.codes.title],
    [paths.questions(event.id), texts.questions.title],
  ] as const
  return (
    <Tabs
      label={texts.tickets.title}
      tabs={tabs.map(([href, text]) => ({ href, text, isCurrent: href === current }))}
    />
  )
}
