import type { Context, Face, FaceRoute, State } from '#machinery/http/face.ts'
import { UPLOAD_RATE } from '#machinery/web/file-form.ts'
import { refuseOtherSites } from '#machinery/web/same-origin.ts'
import { ABSTRACTS_PATH, SUBMITTERS_PATH } from '#product/programme/submissions/links.ts'
import { LinkLimit } from '../link-limit.ts'
import { answerRefusal } from '../pages/refusal.tsx'
import type { StorefrontServices } from '../storefront-services.ts'
import { AfterPages } from './after-pages.tsx'
import { AutosavePages } from './autosave-pages.ts'
import { FilePages } from './file-pages.ts'
import { SubmissionPages } from './submission-pages.tsx'
import { SubmitterPages } from './submitter-pages.tsx'

/** Serves the pages of abstracts to people who have the links. */
export function submissionFaces(services: StorefrontServices): Face<State>[] {
  const pages = new SubmissionPages(services)
  const ofPerson = new SubmitterPages(services)
  const files = new FilePages(services, pages)
  const after = new AfterPages(services)
  const autosave = new AutosavePages(services)
  const limit = new LinkLimit(services)
  // Hundreds of authors behind one address save every few seconds: that takes nothing from their pages.
  const ofSaves = new LinkLimit(services)
  const route = (
    method: 'GET' | 'POST',
    path: string,
    answer: (context: Context) => Promise<void>,
    purpose: 'submission' | 'submitter' = 'submission',
  ): FaceRoute<State> => ({ method, path, stages: [refuseOtherSites, limit.stage(purpose), answer] })
  return [
    {
      path: ABSTRACTS_PATH,
      isForPeople: true,
      routes: [
        route('GET', '/{secret}', context => pages.show(context)),
        route('GET', '/{secret}/edit', context => pages.showEdit(context)),
        route('POST', '/{secret}/edit', context => pages.edit(context, 'edit')),
        route('POST', '/{secret}/edit/send', context => pages.edit(context, 'send')),
        {
          ...{ method: 'POST', path: '/{secret}/edit/save', logLevel: 'debug' },
          stages: [refuseOtherSites, ofSaves.stage('submission'), context => autosave.save(context)],
        },
        route('GET', '/{secret}/send', context => pages.showSend(context)),
        route('POST', '/{secret}/send', context => pages.send(context)),
        route('GET', '/{secret}/file', context => files.download(context)),
        { ...route('POST', '/{secret}/file', context => files.upload(context)), bodyRate: UPLOAD_RATE },
        route('POST', '/{secret}/file/remove', context => files.remove(context)),
        route('GET', '/{secret}/withdraw', context => pages.showWithdraw(context)),
        route('POST', '/{secret}/withdraw', context => pages.withdraw(context)),
        route('POST', '/{secret}/confirm', context => after.confirm(context)),
        route('GET', '/{secret}/presenter', context => after.showPresenter(context)),
        route('POST', '/{secret}/presenter', context => after.changePresenter(context)),
        route('POST', '/{secret}/days', context => after.tellDays(context)),
      ],
      answerProblem: answerRefusal,
    },
    {
      path: SUBMITTERS_PATH,
      isForPeople: true,
      routes: [
        route('GET', '/{secret}', context => ofPerson.showAll(context), 'submitter'),
        route('POST', '/{secret}/begin', context => ofPerson.begin(context), 'submitter'),
        route('POST', '/{secret}/confirm', context => ofPerson.confirm(context), 'submitter'),
        route('GET', '/{secret}/not-mine', context => ofPerson.showNotMine(context), 'submitter'),
        route('POST', '/{secret}/not-mine', context => ofPerson.disown(context), 'submitter'),
      ],
      answerProblem: answerRefusal,
    },
  ]
}
