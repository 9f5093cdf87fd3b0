import type { Context, Face, FaceRoute, State } from '#machinery/http/face.ts'
import { refuseOtherSites } from '#machinery/web/same-origin.ts'
import { REVIEW_PATH } from '#product/programme/reviews/links.ts'
import { LinkLimit } from '../link-limit.ts'
import { answerRefusal } from '../pages/refusal.tsx'
import type { StorefrontServices } from '../storefront-services.ts'
import { ReviewAutosave } from './review-autosave.ts'
import { ReviewPages } from './review-pages.tsx'

/** Serves the pages of reviewers to people who have the links. */
export function reviewFace(services: StorefrontServices): Face<State> {
  const pages = new ReviewPages(services)
  const limit = new LinkLimit(services)
  const autosave = new ReviewAutosave(services)
  // Forms that save themselves take nothing from the pages.
  const ofSaves = new LinkLimit(services)
  const route = (
    method: 'GET' | 'POST',
    path: string,
    answer: (context: Context) => Promise<void>,
  ): FaceRoute<State> => ({ method, path, stages: [refuseOtherSites, limit.stage('reviewer'), answer] })
  return {
    path: REVIEW_PATH,
    isForPeople: true,
    routes: [
      route('GET', '/{secret}', context => pages.list(context)),
      route('GET', '/{secret}/all', context => pages.showAll(context)),
      route('GET', '/{secret}/profile', context => pages.showProfile(context)),
      route('POST', '/{secret}/profile', context => pages.saveProfile(context)),
      route('GET', '/{secret}/abstracts/{code}', context => pages.show(context)),
      route('POST', '/{secret}/abstracts/{code}', context => pages.save(context, false)),
      {
        ...{ method: 'POST', path: '/{secret}/abstracts/{code}/save', logLevel: 'debug' },
        stages: [refuseOtherSites, ofSaves.stage('reviewer'), context => autosave.save(context)],
      },
      route('POST', '/{secret}/abstracts/{code}/done', context => pages.save(context, true)),
      route('GET', '/{secret}/abstracts/{code}/file', context => pages.download(context)),
      route('GET', '/{secret}/abstracts/{code}/back', context => pages.showBack(context)),
      route('POST', '/{secret}/abstracts/{code}/back', context => pages.giveBack(context)),
    ],
    answerProblem: answerRefusal,
  }
}
