import type { Face } from '#machinery/http/face.ts'
import type { Services, Stage, State } from './context.ts'
import { apiEntries } from './entry.ts'
import { API_PATH, type PublicPage, type Route } from './route.ts'
import { Admission, requireScope } from './stages/admission.ts'
import { answerPublic } from './stages/answer-public.ts'
import { answerRead, answerReport, answerSearch } from './stages/answer-read.ts'
import { answerWrite } from './stages/answer-write.ts'
import { readInput } from './stages/read-input.ts'

/** Returns the API as a face. Each operation has its stages, from request to answer, in the order in which they decide. */
export function apiFace(
  services: Services,
  routes: readonly Route[],
  pages: readonly PublicPage[],
): Face<State> {
  const admission = new Admission(services)
  return {
    path: API_PATH,
    // The paths of the operations are relative to the version.
    loggedPath: '',
    routes: [
      ...routes.map(route => ({
        method: route.method,
        path: route.path,
        stages: [
          admission.authenticate,
          admission.limitKey,
          requireScope(route),
          readInput(services, route),
          answerFor(services, route),
        ],
      })),
      ...pages.map(page => ({
        method: 'GET' as const,
        path: page.path,
        stages: [services.addresses.stage, answerPublic(page)],
      })),
      ...apiEntries(services.addresses),
    ],
  }
}

function answerFor(services: Services, route: Route): Stage {
  switch (route.kind) {
    case 'read':
      return answerRead(services, route)
    case 'search':
      return answerSearch(services, route)
    case 'report':
      return answerReport(services, route)
    case 'write':
      return answerWrite(services, route)
  }
}
