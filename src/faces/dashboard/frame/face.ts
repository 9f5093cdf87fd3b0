import type { Face, FaceRoute, Stage } from '#machinery/http/face.ts'
import { UPLOAD_RATE } from '#machinery/web/file-form.ts'
import { refuseOtherSites } from '#machinery/web/same-origin.ts'
import type { State } from './context.ts'
import { Gate } from './gate.ts'
import type { Handler, Page } from './page.ts'
import type { Level, Services } from './page-request.ts'
import { DASHBOARD_PATH } from './paths.ts'
import { answerRefusedPage } from './refused-page.tsx'

/** Builds the face that serves the pages of organizers. */
export function dashboardFace(services: Services, pages: readonly Page[]): Face<State> {
  const gate = new Gate(services, pages)
  const routeTo = (method: 'GET' | 'POST', page: Page, handle: Handler<Level>): FaceRoute<State> => ({
    method,
    path: page.path,
    bodyRate: page.takesFile ? UPLOAD_RATE : undefined,
    stages: [refuseOtherSites as Stage<State>, context => gate.enter(context, page, handle)],
  })
  return {
    path: DASHBOARD_PATH,
    isForPeople: true,
    routes: pages.flatMap(page => [
      ...(page.get === undefined ? [] : [routeTo('GET', page, page.get as Handler<Level>)]),
      ...(page.post === undefined ? [] : [routeTo('POST', page, page.post as Handler<Level>)]),
    ]),
    answerProblem: async (context, problem) => {
      if (problem.code === 'route_not_found') await gate.frameUnknown(context)
      await answerRefusedPage(context, problem)
    },
  }
}
