import type { Context, FaceRoute, State } from '#machinery/http/face.ts'
import type { ProgrammePages } from './programme-pages.tsx'

type Answer = (context: Context) => Promise<void>

/** Returns the routes of the public programme of an event. @param route makes one of a page that changes nothing */
export function programmeRoutes(
  pages: ProgrammePages,
  route: (path: string, answer: Answer) => FaceRoute<State>,
): FaceRoute<State>[] {
  const below = (path: string, answer: Answer) => route(`/{account}/{event}/programme${path}`, answer)
  return [
    below('', context => pages.show(context)),
    below('/calendar.ics', context => pages.sendCalendar(context)),
    below('/sessions/{session}/calendar.ics', context => pages.sendSession(context)),
    below('/book', context => pages.showBook(context)),
    below('/{number}', context => pages.showAbstract(context)),
    below('/{number}/calendar.ics', context => pages.sendAbstract(context)),
  ]
}
