import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { withQuery } from '#machinery/web/link.ts'
import { getOfEvent } from '#product/programme/abstracts/of-event.ts'
import { reopen } from '#product/programme/decisions/withdrawing.ts'
import { addressOf, readAbstractQuery } from './abstract-query.ts'

/** Asks before it takes back the withdrawal of an abstract, of which its author is told. */
export const reopenAbstract = formPage('event', {
  path: '/e/{event}/abstracts/{abstract}/reopen',
  permission: 'abstracts',
  load: (tx, { event, params }) => getOfEvent(tx, event.id, params.abstract ?? ''),
  fields: () => ({}),
  preview: ({ withdrawn_at }) => String(withdrawn_at),
  parts: ({ id, code, title, status, withdrawn_at }, request) => {
    const { event, voice } = request
    const { abstracts: texts } = voice.texts
    const leave = addressOf(request)
    return question({
      title: texts.reopenTitle(code),
      crumbs: (
        <a href={leave}>
          <bdi>{code}</bdi>
        </a>
      ),
      action: withQuery(paths.reopenAbstract(event.id, id), readAbstractQuery(request).query),
      leave,
      submit: texts.reopenSubmit,
      will: texts.reopenWill(title, texts.status[status]),
      instead: withdrawn_at === null ? <p class="card">{texts.notWithdrawn}</p> : undefined,
    })
  },
  act: (tx, _, { loaded: { id } }) => reopen(tx, id),
  entry: ({ params }) => ({
    action: 'abstract.reopen',
    targetType: 'abstract',
    targetId: params.abstract,
    hasChanged: abstract => abstract !== undefined,
  }),
  next: (abstract, request) => ({
    path: addressOf(request),
    flash: abstract && flash('abstractReopened', { title: abstract.title }),
  }),
})
